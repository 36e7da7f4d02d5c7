/* What each sensor reads over nothing and over the body of a die, learnt in use and kept in EEPROM. */
#ifndef BLOTLIGHT_LEVELS_H
#define BLOTLIGHT_LEVELS_H

#include <stdbool.h>
#include <stdint.h>

#define WELLS 2
#define CHANNELS 10 /* a well's: the 3x3 grid row by row, then the second centre */

/* ADC counts (0 to 1023) of lit minus dark. */
typedef struct {
    uint16_t empty[CHANNELS]; /* no die over the sensor */
    uint16_t body[CHANNELS];  /* the body of a die over it */
} levels_t;

#define LEVELS_DEFAULT_EMPTY 20
#define LEVELS_DEFAULT_BODY 300
#define LEVELS_LEAST_SPAN 64 /* a body is at least so much brighter than nothing */

void levels_default(levels_t *levels);

/* A reading in 1/256 of the way from nothing to a body; a little beyond it at most, lest one sensor that is
 * stuck bright make all the others look dark. */
#define RELATIVE_MOST 320
uint16_t levels_relative(const levels_t *levels, uint8_t channel, uint16_t value);
uint16_t levels_unlimited(const levels_t *levels, uint8_t channel, uint16_t value);

/* Move the levels of the sensors in `dark` (a bit each) a quarter of the way to what was seen over nothing. */
void levels_learn_empty(levels_t *levels, const uint16_t values[CHANNELS], uint16_t dark);

/* Move the levels of the sensors in `lit` a quarter of the way to what was seen over a body. The
 * others are scaled as those were together: a stronger light is stronger for all, and sensors that learn
 * apart from the rest would make pips that one sees look like a body that another sees. */
void levels_learn_body(levels_t *levels, const uint16_t values[CHANNELS], uint16_t lit);

/* Whether some level has moved by more than an eighth of its span since `stored`. */
bool levels_moved(const levels_t *levels, const levels_t *stored);

/* The form in EEPROM: two slots, written in turn, so that a brown-out in the middle of one leaves the other. */
#define IMAGE_BYTES (2 + WELLS * CHANNELS * 2 * 2 + 2)

void image_encode(uint8_t image[IMAGE_BYTES], const levels_t levels[WELLS], uint8_t generation);

/* False when the image is damaged, blank or of another version. */
bool image_is_whole(const uint8_t image[IMAGE_BYTES], uint8_t *generation);

/* The levels in an image that is whole. */
void image_decode(const uint8_t image[IMAGE_BYTES], levels_t levels[WELLS]);

#endif
