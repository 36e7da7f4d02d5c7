/* The real binary in a simulated ATmega328P (libsimavr), under the commands of stimuli.h.
 *
 *   board FIRMWARE.elf        in lockstep: time passes only by `run`
 *   board FIRMWARE.elf --pty  prints the name of a serial port, then runs by the clock on the wall; commands
 *                             other than `run` and `send` are taken meanwhile
 */
#define _GNU_SOURCE
#include <fcntl.h>
#include <poll.h>
#include <pty.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <time.h>
#include <unistd.h>

#include <simavr/avr_adc.h>
#include <simavr/avr_eeprom.h>
#include <simavr/avr_ioport.h>
#include <simavr/avr_uart.h>
#include <simavr/sim_avr.h>
#include <simavr/sim_elf.h>

#include "stimuli.h"

#define CPU_HZ 16000000u
#define SUPPLY_MV 5000
#define SLOT_BYTES 128
#define QUEUE 4096

static avr_t *avr;
static avr_irq_t *adc;
static avr_irq_t *uart;
static stimuli_t stimuli;
static bool stalled;
static bool may_receive = true;
static int pty_fd = -1;
static uint64_t before_restart_ms;
static uint8_t queue[QUEUE];
static size_t queue_head;
static size_t queue_length;

static void silent(avr_t *self, const int level, const char *format, va_list arguments)
{
    (void)self, (void)level, (void)format, (void)arguments;
}

static uint64_t now_ms(void)
{
    return before_restart_ms + avr->cycle / (CPU_HZ / 1000);
}

static uint8_t pins(char port)
{
    avr_ioport_state_t state;
    avr_ioctl(avr, AVR_IOCTL_IOPORT_GETSTATE(port), &state);
    return (uint8_t)state.port;
}

/* A conversion begins: put the level on its pin that the wiring would. */
static void on_conversion(struct avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq, (void)unused;
    union {
        uint64_t bits;
        avr_adc_mux_t mux;
    } selected = {.bits = value};
    int well = selected.mux.src;
    if (well < 0 || well >= WELLS) {
        return;
    }
    int channel = (pins('D') >> 2) & 0x0F;
    bool lit = (pins('B') & (1 << well)) != 0;
    if (channel < CHANNELS) {
        uint32_t count = stimuli_count(&stimuli, well, channel, lit);
        avr_raise_irq(adc + ADC_IRQ_ADC0 + well, (count * SUPPLY_MV + 1022) / 1023);
    }
}

static void on_byte_sent(struct avr_irq_t *irq, uint32_t value, void *unused)
{
    (void)irq, (void)unused;
    uint8_t byte = (uint8_t)value;
    if (pty_fd < 0) {
        stimuli_sent(byte, now_ms());
    } else if (write(pty_fd, &byte, 1) < 0) {
        /* nobody reads: a real line would not notice either */
    }
}

static void on_ready(struct avr_irq_t *irq, uint32_t value, void *ready)
{
    (void)irq, (void)value;
    may_receive = ready != NULL;
}

static void feed_uart(void)
{
    while (may_receive && queue_length > 0) {
        avr_raise_irq(uart + UART_IRQ_INPUT, queue[queue_head]);
        queue_head = (queue_head + 1) % QUEUE;
        queue_length--;
    }
}

static void receive(const uint8_t *bytes, size_t n)
{
    for (size_t i = 0; i < n && queue_length < QUEUE; i++) {
        queue[(queue_head + queue_length++) % QUEUE] = bytes[i];
    }
}

static void load(const char *path, const uint8_t *eeprom)
{
    elf_firmware_t firmware;
    memset(&firmware, 0, sizeof firmware);
    if (elf_read_firmware(path, &firmware) != 0) {
        fprintf(stderr, "%s is no firmware\n", path);
        exit(2);
    }
    avr = avr_make_mcu_by_name("atmega328p");
    avr_init(avr);
    avr_load_firmware(avr, &firmware);
    avr->frequency = CPU_HZ;
    avr->vcc = avr->avcc = avr->aref = SUPPLY_MV;
    if (eeprom != NULL) {
        avr_eeprom_desc_t all = {.ee = (uint8_t *)eeprom, .offset = 0, .size = 2 * SLOT_BYTES};
        avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &all);
    }
    uint32_t flags = 0;
    avr_ioctl(avr, AVR_IOCTL_UART_GET_FLAGS('0'), &flags);
    flags &= ~(uint32_t)(AVR_UART_FLAG_STDIO | AVR_UART_FLAG_POLL_SLEEP);
    avr_ioctl(avr, AVR_IOCTL_UART_SET_FLAGS('0'), &flags);
    uart = avr_io_getirq(avr, AVR_IOCTL_UART_GETIRQ('0'), 0);
    adc = avr_io_getirq(avr, AVR_IOCTL_ADC_GETIRQ, 0);
    avr_irq_register_notify(uart + UART_IRQ_OUTPUT, on_byte_sent, NULL);
    avr_irq_register_notify(uart + UART_IRQ_OUT_XON, on_ready, &avr);
    avr_irq_register_notify(uart + UART_IRQ_OUT_XOFF, on_ready, NULL);
    avr_irq_register_notify(adc + ADC_IRQ_OUT_TRIGGER, on_conversion, NULL);
    may_receive = true;
}

static void run_until(avr_cycle_count_t cycle)
{
    uint8_t *adcsra = &avr->data[0x7A];
    while (avr->cycle < cycle) {
        feed_uart();
        int state = avr_run(avr);
        if (stalled) {
            *adcsra |= 0x40; /* ADSC: still converting */
        }
        if (state == cpu_Crashed || state == cpu_Done) {
            fprintf(stderr, "the processor stopped\n");
            exit(1);
        }
    }
}

static void get_eeprom(uint8_t *bytes)
{
    avr_eeprom_desc_t all = {.ee = bytes, .offset = 0, .size = 2 * SLOT_BYTES};
    avr_ioctl(avr, AVR_IOCTL_EEPROM_GET, &all);
}

static void restart(const char *path)
{
    uint8_t eeprom[2 * SLOT_BYTES];
    get_eeprom(eeprom);
    before_restart_ms = now_ms();
    queue_length = 0;
    load(path, eeprom);
}

static void tear(unsigned slot, unsigned byte)
{
    uint8_t eeprom[2 * SLOT_BYTES];
    get_eeprom(eeprom);
    eeprom[slot * SLOT_BYTES + byte] ^= 0x10;
    avr_eeprom_desc_t all = {.ee = eeprom, .offset = 0, .size = sizeof eeprom};
    avr_ioctl(avr, AVR_IOCTL_EEPROM_SET, &all);
}

static void obey(const char *path, const char *command)
{
    uint8_t bytes[QUEUE];
    unsigned a;
    unsigned b;
    if (strncmp(command, "send ", 5) == 0) {
        receive(bytes, (size_t)stimuli_bytes(command, bytes, sizeof bytes));
    } else if (sscanf(command, "run %u", &a) == 1) {
        run_until(avr->cycle + (avr_cycle_count_t)a * (CPU_HZ / 1000));
        puts("done");
        fflush(stdout);
    } else if (strncmp(command, "restart", 7) == 0) {
        restart(path);
    } else if (sscanf(command, "stall %u", &a) == 1) {
        stalled = a != 0;
    } else if (sscanf(command, "tear %u %u", &a, &b) == 2 && a < 2 && b < SLOT_BYTES) {
        tear(a, b);
    } else if (!stimuli_command(&stimuli, command)) {
        fprintf(stderr, "no such command: %s", command);
        exit(2);
    }
}

static uint64_t wall_us(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000u + (uint64_t)t.tv_nsec / 1000u;
}

/* Runs by the clock on the wall, a millisecond at a time, until standard input ends. */
static void run_freely(const char *path)
{
    int far_end; /* kept open, or the first reader's close would end the port */
    char name[128];
    struct termios raw;
    openpty(&pty_fd, &far_end, name, NULL, NULL);
    tcgetattr(far_end, &raw);
    cfmakeraw(&raw);
    tcsetattr(far_end, TCSANOW, &raw);
    fcntl(pty_fd, F_SETFL, O_NONBLOCK);
    puts(name);
    fflush(stdout);
    uint64_t started_us = wall_us();
    uint64_t base_cycle = avr->cycle;
    for (;;) {
        struct pollfd ready[2] = {{.fd = STDIN_FILENO, .events = POLLIN}, {.fd = pty_fd, .events = POLLIN}};
        uint64_t behind = (wall_us() - started_us) * (CPU_HZ / 1000000u) + base_cycle;
        poll(ready, 2, avr->cycle >= behind ? 1 : 0);
        if (ready[0].revents != 0) {
            char command[4096];
            size_t n = 0;
            while (n < sizeof command - 1 && read(STDIN_FILENO, command + n, 1) == 1 && command[n++] != '\n') {
            }
            if (n == 0) {
                return;
            }
            command[n] = '\0';
            avr_t *old = avr;
            obey(path, command);
            if (avr != old) {
                started_us = wall_us();
                base_cycle = avr->cycle;
            }
        }
        if (ready[1].revents & POLLIN) {
            uint8_t bytes[256];
            ssize_t n = read(pty_fd, bytes, sizeof bytes);
            receive(bytes, n > 0 ? (size_t)n : 0);
        }
        if (avr->cycle < behind) {
            run_until(avr->cycle + CPU_HZ / 1000);
        }
    }
}

int main(int count, char **arguments)
{
    char command[2 * QUEUE + 16];
    if (count < 2) {
        fprintf(stderr, "board FIRMWARE.elf [--pty]\n");
        return 2;
    }
    avr_global_logger_set(silent);
    stimuli_init(&stimuli);
    load(arguments[1], NULL);
    if (count == 3 && strcmp(arguments[2], "--pty") == 0) {
        run_freely(arguments[1]);
        return 0;
    }
    while (fgets(command, sizeof command, stdin) != NULL) {
        obey(arguments[1], command);
    }
    return 0;
}
