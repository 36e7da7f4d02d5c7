/* One well of the tray: what lies in it, and whether it moves. */
#ifndef BLOTLIGHT_WELL_H
#define BLOTLIGHT_WELL_H

#include <stdbool.h>
#include <stdint.h>

#include "levels.h"

#define SETTLE_MS 200 /* still for so long: at rest */
#define LIFT_MS 100   /* empty for so long: lifted away */
#define MOVE_MS 60    /* stirring for so long: moving; a shorter jolt is not worth a word */

/* What lies in a well: '1' to '6' the face that looks up, '?' unreadable, '-' nothing, '*' moving. */
typedef char mark_t;

#define MARK_UNREADABLE '?'
#define MARK_ABSENT '-'
#define MARK_MOVING '*'
#define MARK_UNTOLD 0 /* nothing to say, nothing said yet */

typedef struct {
    levels_t levels;
    uint16_t recent[3][CHANNELS]; /* the last three scans, for their median */
    uint16_t still[CHANNELS];     /* the readings when the present stillness began */
    uint32_t still_since_ms;
    uint32_t restless_since_ms;
    uint8_t scans; /* up to 3: how many of `recent` are filled */
    bool restless;
    mark_t seen; /* what the last scan looked like */
    mark_t said; /* what the host was last told */
} well_t;

void well_init(well_t *well, const levels_t *levels);

/* The face that looks up when the sensors below read these relative levels; '?' or '-' otherwise. */
mark_t well_read(const uint16_t relative[CHANNELS]);

/* Takes one scan: lit minus dark for each channel; `glaring` when daylight blinds a sensor.
 * Returns what the host should now be told, or MARK_UNTOLD when there is no news. */
mark_t well_scan(well_t *well, uint32_t now_ms, const uint16_t values[CHANNELS], bool glaring);

#endif
