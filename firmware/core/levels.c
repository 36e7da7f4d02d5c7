#include "levels.h"

#include "line.h"

#define IMAGE_VERSION 1
#define FULL_SCALE 1023

void levels_default(levels_t *levels)
{
    for (uint8_t i = 0; i < CHANNELS; i++) {
        levels->empty[i] = LEVELS_DEFAULT_EMPTY;
        levels->body[i] = LEVELS_DEFAULT_BODY;
    }
}

uint16_t levels_unlimited(const levels_t *levels, uint8_t channel, uint16_t value)
{
    uint16_t empty = levels->empty[channel];
    if (value <= empty) {
        return 0;
    }
    return (uint16_t)((uint32_t)(value - empty) * 256u / (uint32_t)(levels->body[channel] - empty));
}

uint16_t levels_relative(const levels_t *levels, uint8_t channel, uint16_t value)
{
    uint16_t relative = levels_unlimited(levels, channel, value);
    return relative > RELATIVE_MOST ? RELATIVE_MOST : relative;
}

static bool has(uint16_t bits, uint8_t channel)
{
    return (bits & (1u << channel)) != 0;
}

static uint16_t nearer(uint16_t level, uint16_t value)
{
    return (uint16_t)((3u * level + value + 2u) / 4u);
}

void levels_learn_empty(levels_t *levels, const uint16_t values[CHANNELS], uint16_t dark)
{
    for (uint8_t i = 0; i < CHANNELS; i++) {
        if (!has(dark, i)) {
            continue;
        }
        uint16_t most = (uint16_t)(levels->body[i] - LEVELS_LEAST_SPAN);
        uint16_t level = nearer(levels->empty[i], values[i]);
        levels->empty[i] = level > most ? most : level;
    }
}

static void set_span(levels_t *levels, uint8_t channel, uint32_t span)
{
    uint32_t most = (uint32_t)(FULL_SCALE - levels->empty[channel]);
    span = span < LEVELS_LEAST_SPAN ? LEVELS_LEAST_SPAN : span > most ? most : span;
    levels->body[channel] = (uint16_t)(levels->empty[channel] + span);
}

void levels_learn_body(levels_t *levels, const uint16_t values[CHANNELS], uint16_t lit)
{
    uint32_t before = 0;
    uint32_t after = 0;
    for (uint8_t i = 0; i < CHANNELS; i++) {
        if (has(lit, i)) {
            uint16_t level = nearer(levels->body[i], values[i]);
            before += (uint32_t)(levels->body[i] - levels->empty[i]);
            set_span(levels, i, level > levels->empty[i] ? (uint32_t)(level - levels->empty[i]) : 0);
            after += (uint32_t)(levels->body[i] - levels->empty[i]);
        }
    }
    for (uint8_t i = 0; i < CHANNELS; i++) {
        if (!has(lit, i) && before > 0) {
            set_span(levels, i, (uint32_t)(levels->body[i] - levels->empty[i]) * after / before);
        }
    }
}

static uint16_t distance(uint16_t a, uint16_t b)
{
    return a > b ? (uint16_t)(a - b) : (uint16_t)(b - a);
}

bool levels_moved(const levels_t *levels, const levels_t *stored)
{
    for (uint8_t i = 0; i < CHANNELS; i++) {
        uint16_t eighth = (uint16_t)((stored->body[i] - stored->empty[i]) / 8u);
        if (distance(levels->empty[i], stored->empty[i]) > eighth ||
            distance(levels->body[i], stored->body[i]) > eighth) {
            return true;
        }
    }
    return false;
}

static uint16_t image_checksum(const uint8_t image[IMAGE_BYTES])
{
    uint16_t crc = CRC16_START;
    for (uint8_t i = 0; i < IMAGE_BYTES - 2; i++) {
        crc = crc16_add(crc, image[i]);
    }
    return crc;
}

static uint8_t *put16(uint8_t *at, uint16_t value)
{
    *at++ = (uint8_t)(value >> 8);
    *at++ = (uint8_t)(value & 0xFFu);
    return at;
}

static uint16_t get16(const uint8_t *at)
{
    return (uint16_t)((uint16_t)at[0] << 8 | at[1]);
}

void image_encode(uint8_t image[IMAGE_BYTES], const levels_t levels[WELLS], uint8_t generation)
{
    uint8_t *at = image;
    *at++ = IMAGE_VERSION;
    *at++ = generation;
    for (uint8_t well = 0; well < WELLS; well++) {
        for (uint8_t i = 0; i < CHANNELS; i++) {
            at = put16(at, levels[well].empty[i]);
            at = put16(at, levels[well].body[i]);
        }
    }
    put16(at, image_checksum(image));
}

static bool plausible(uint16_t empty, uint16_t body)
{
    return body <= FULL_SCALE && empty <= FULL_SCALE - LEVELS_LEAST_SPAN && body >= empty + LEVELS_LEAST_SPAN;
}

bool image_is_whole(const uint8_t image[IMAGE_BYTES], uint8_t *generation)
{
    if (image[0] != IMAGE_VERSION || get16(image + IMAGE_BYTES - 2) != image_checksum(image)) {
        return false;
    }
    for (uint8_t pair = 0; pair < WELLS * CHANNELS; pair++) {
        const uint8_t *at = image + 2 + 4 * pair;
        if (!plausible(get16(at), get16(at + 2))) {
            return false;
        }
    }
    *generation = image[1];
    return true;
}

void image_decode(const uint8_t image[IMAGE_BYTES], levels_t levels[WELLS])
{
    for (uint8_t pair = 0; pair < WELLS * CHANNELS; pair++) {
        const uint8_t *at = image + 2 + 4 * pair;
        levels[pair / CHANNELS].empty[pair % CHANNELS] = get16(at);
        levels[pair / CHANNELS].body[pair % CHANNELS] = get16(at + 2);
    }
}
