/* The tray's hardware: an ATmega328P at 16 MHz, as on an Arduino Nano.
 *
 *   D0, D1   serial line to the host, 115200 8N1
 *   D2 - D5  channel select S0 - S3 of both CD74HC4067 multiplexers
 *   D8, D9   emitters of well 1 and well 2, high is on
 *   A0, A1   multiplexer outputs of well 1 and well 2
 */
#include <avr/eeprom.h>
#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/wdt.h>
#include <util/atomic.h>
#include <util/delay.h>

#include "tray.h"

#define SELECT_SHIFT 2
#define SELECT_MASK (0x0F << SELECT_SHIFT)
#define EMITTER_1 _BV(PB0)
#define EMITTER_2 _BV(PB1)
#define SETTLE_US 60 /* multiplexer, phototransistor and the ADC's own capacitor */
#define RECEIVE_BYTES 64

static tray_t tray;
static uint8_t reset_cause __attribute__((section(".noinit")));

static volatile uint32_t clock_ms;
static volatile uint8_t received[RECEIVE_BYTES];
static volatile uint8_t receive_head;
static volatile uint8_t receive_tail;

static uint8_t image[IMAGE_BYTES];
static uint8_t image_left; /* bytes of it that are still to be written */
static uint8_t image_slot;

/* Before anything else: a watchdog that bit keeps running, with its shortest time, until it is switched off. */
void note_reset_cause(void) __attribute__((naked, used, section(".init3")));
void note_reset_cause(void)
{
    reset_cause = MCUSR;
    MCUSR = 0;
    wdt_disable();
}

ISR(TIMER0_COMPA_vect)
{
    clock_ms++;
}

ISR(USART_RX_vect)
{
    uint8_t byte = UDR0;
    uint8_t next = (uint8_t)((receive_head + 1) % RECEIVE_BYTES);
    if (next != receive_tail) { /* when full, a byte is lost and its line with it */
        received[receive_head] = byte;
        receive_head = next;
    }
}

static uint32_t now_ms(void)
{
    uint32_t now;
    ATOMIC_BLOCK(ATOMIC_RESTORESTATE)
    {
        now = clock_ms;
    }
    return now;
}

static void set_up(void)
{
    DDRD |= SELECT_MASK;
    DDRB |= EMITTER_1 | EMITTER_2;
    ADMUX = _BV(REFS0);                            /* against the 5 V supply, as the sensors are */
    ADCSRA = _BV(ADEN) | _BV(ADPS2) | _BV(ADPS1);  /* 250 kHz: 52 us a sample */
    TCCR0A = _BV(WGM01);                           /* a tick each millisecond: 16 MHz / 64 / 250 */
    TCCR0B = _BV(CS01) | _BV(CS00);
    OCR0A = 249;
    TIMSK0 = _BV(OCIE0A);
    UCSR0A = _BV(U2X0); /* 16 MHz / 8 / 17 = 117647 baud, 2.1 % off, within what 8N1 bears */
    UBRR0 = 16;
    UCSR0B = _BV(RXCIE0) | _BV(RXEN0) | _BV(TXEN0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
}

static void aim(sample_t sample)
{
    uint8_t emitter = sample.well == 0 ? EMITTER_1 : EMITTER_2;
    PORTB = (uint8_t)((PORTB & ~(EMITTER_1 | EMITTER_2)) | (sample.lit ? emitter : 0));
    PORTD = (uint8_t)((PORTD & ~SELECT_MASK) | (sample.channel << SELECT_SHIFT));
    ADMUX = (uint8_t)(_BV(REFS0) | sample.well);
}

static uint16_t convert(void)
{
    ADCSRA |= _BV(ADSC);
    while (ADCSRA & _BV(ADSC)) {
        /* an ADC that never finishes is the watchdog's business */
    }
    return ADC;
}

static void pump_serial(void)
{
    while (receive_tail != receive_head) {
        tray_receive(&tray, received[receive_tail]);
        receive_tail = (uint8_t)((receive_tail + 1) % RECEIVE_BYTES);
    }
    if (UCSR0A & _BV(UDRE0)) {
        int16_t byte = tray_send(&tray);
        if (byte >= 0) {
            UDR0 = (uint8_t)byte;
        }
    }
}

static uint8_t *slot_address(uint8_t slot)
{
    return (uint8_t *)(uint16_t)(slot * 128u);
}

/* A byte at a time, since each takes 3.4 ms; the checksum comes last, so a torn image is no image. */
static void pump_eeprom(uint32_t now)
{
    if (!eeprom_is_ready()) {
        return;
    }
    if (image_left > 0) {
        uint8_t at = (uint8_t)(IMAGE_BYTES - image_left);
        eeprom_update_byte(slot_address(image_slot) + at, image[at]);
        image_left--;
    } else if (tray_store(&tray, now, image, &image_slot)) {
        image_left = IMAGE_BYTES;
    }
}

int main(void)
{
    wdt_enable(WDTO_250MS);
    set_up();
    tray_init(&tray);
    for (uint8_t slot = 0; slot < 2; slot++) {
        eeprom_read_block(image, slot_address(slot), IMAGE_BYTES);
        tray_recall(&tray, image);
    }
    sei();
    tray_start(&tray, now_ms(), reset_cause & _BV(WDRF) ? STARTED_BY_WATCHDOG : STARTED_BY_POWER);
    for (;;) {
        aim(tray_wanted(&tray));
        pump_serial();
        _delay_us(SETTLE_US);
        uint16_t count = convert();
        uint32_t now = now_ms();
        tray_take(&tray, now, count);
        pump_serial();
        pump_eeprom(now);
        wdt_reset();
    }
}
