/* The whole tray without its hardware: which sensor to sample next, what to send, what to keep.
 *
 * The shell asks for the next sample, takes it, and hands the count over; it moves bytes between the serial
 * line and the tray, and stores an image when the tray has one. */
#ifndef BLOTLIGHT_TRAY_H
#define BLOTLIGHT_TRAY_H

#include <stdbool.h>
#include <stdint.h>

#include "levels.h"
#include "line.h"
#include "well.h"

#define FIRMWARE_VERSION "1.0.0"
#define PROTOCOL_NUMBER 1
#define HEARTBEAT_MS 1000u
#define STORE_EVERY_MS 600000u /* spares the EEPROM: 100,000 writes then last two years of play */
#define SEND_BYTES 192         /* waiting to be sent: a SNAP's answer and all that may come meanwhile */
#define GLARE_COUNT 900        /* a dark sample this bright leaves no room for the lit one */

/* Why the tray started. */
typedef enum { STARTED_BY_POWER, STARTED_BY_WATCHDOG } start_t;

/* One sample: the emitters of the well on or off, its multiplexer at the channel. */
typedef struct {
    uint8_t well;
    uint8_t channel;
    bool lit;
} sample_t;

typedef struct {
    well_t wells[WELLS];
    levels_t stored[WELLS];
    uint16_t dark;
    uint16_t values[CHANNELS];
    sample_t wanted;
    bool glaring;
    uint8_t seq;
    uint16_t bad_lines;
    uint32_t last_beat_ms;
    uint32_t beats; /* seconds since the start */
    uint32_t stored_ms;
    uint8_t generation;
    bool recalled;
    line_reader_t reader;
    char sending[SEND_BYTES];
    uint8_t send_head;
    uint8_t send_length;
} tray_t;

/* In this order: init, recall for each image found in EEPROM (the newest whole one counts), start. */
void tray_init(tray_t *tray);
void tray_recall(tray_t *tray, const uint8_t image[IMAGE_BYTES]);
void tray_start(tray_t *tray, uint32_t now_ms, start_t start);

/* The sample to take next. Each channel is sampled dark and at once again lit, so that lamps that flicker
 * cancel out. */
sample_t tray_wanted(const tray_t *tray);

/* Takes the count of that sample, 0 to 1023. */
void tray_take(tray_t *tray, uint32_t now_ms, uint16_t count);

/* Takes a byte from the host. */
void tray_receive(tray_t *tray, uint8_t byte);

/* The next byte to send, or -1. */
int16_t tray_send(tray_t *tray);

/* When the levels should be kept: fills the image, says into which of the two slots, and counts them as kept. */
bool tray_store(tray_t *tray, uint32_t now_ms, uint8_t image[IMAGE_BYTES], uint8_t *slot);

#endif
