#include "well.h"

#include <string.h>

/* In 1/256 of the way from nothing to the body of a die. */
#define ABSENT_BELOW 64 /* all sensors, or all but a faulty one, darker than this: no die */
#define LEAST_GAP 90    /* pips and body differ at least by so much */
#define STIRRED_BY 40   /* a reading that changes by more has moved */

#define FULL_GRID 0x3FFu

/* Bits 0 to 8 are the grid row by row, bit 9 the second centre. A set bit is a pip. The die is read from
 * below, and opposite faces add up to seven. No two of these patterns, nor the patterns of a dark die with
 * light pips (all bits turned), differ in fewer than two sensors: so one faulty sensor cannot make one face
 * into another. */
typedef struct {
    uint16_t pips;
    uint8_t below;
} pattern_t;

#define BIT(n) (1u << (n))
#define CENTRE (BIT(4) | BIT(9))
#define SLASH (BIT(2) | BIT(6))
#define BACKSLASH (BIT(0) | BIT(8))
#define CORNERS (SLASH | BACKSLASH)

static const pattern_t PATTERNS[] = {
    {CENTRE, 1},
    {SLASH, 2},
    {BACKSLASH, 2},
    {SLASH | CENTRE, 3},
    {BACKSLASH | CENTRE, 3},
    {CORNERS, 4},
    {CORNERS | CENTRE, 5},
    {CORNERS | BIT(3) | BIT(5), 6},
    {CORNERS | BIT(1) | BIT(7), 6},
};

static mark_t face_above(uint16_t pips)
{
    for (uint8_t i = 0; i < sizeof PATTERNS / sizeof PATTERNS[0]; i++) {
        if (PATTERNS[i].pips == pips) {
            return (mark_t)('0' + 7 - PATTERNS[i].below);
        }
    }
    return MARK_UNREADABLE;
}

static void sort(uint16_t *values, uint8_t n)
{
    for (uint8_t i = 1; i < n; i++) {
        uint16_t value = values[i];
        uint8_t j = i;
        for (; j > 0 && values[j - 1] > value; j--) {
            values[j] = values[j - 1];
        }
        values[j] = value;
    }
}

/* The level that parts the dark readings from the light ones, in the widest gap; 0 when no gap is clearly the
 * widest. */
static uint16_t parting(const uint16_t relative[CHANNELS])
{
    uint16_t sorted[CHANNELS];
    memcpy(sorted, relative, sizeof sorted);
    sort(sorted, CHANNELS);
    uint16_t widest = 0;
    uint16_t second = 0;
    uint16_t middle = 0;
    for (uint8_t i = 1; i < CHANNELS; i++) {
        uint16_t gap = (uint16_t)(sorted[i] - sorted[i - 1]);
        if (gap > widest) {
            second = widest;
            widest = gap;
            middle = (uint16_t)(sorted[i - 1] + gap / 2);
        } else if (gap > second) {
            second = gap;
        }
    }
    return widest < LEAST_GAP || second > widest / 4 * 3 ? 0 : middle;
}

static uint16_t darker_than(const uint16_t relative[CHANNELS], uint16_t level)
{
    uint16_t bits = 0;
    for (uint8_t i = 0; i < CHANNELS; i++) {
        if (relative[i] < level) {
            bits = (uint16_t)(bits | BIT(i));
        }
    }
    return bits;
}

/* Every die has two light readings or more: the body of a light one, the pips of a dark one. */
static bool at_most_one_light(uint16_t dark)
{
    uint16_t light = (uint16_t)(~dark & FULL_GRID);
    return (light & (light - 1u)) == 0;
}

mark_t well_read(const uint16_t relative[CHANNELS])
{
    if (at_most_one_light(darker_than(relative, ABSENT_BELOW))) {
        return MARK_ABSENT;
    }
    uint16_t level = parting(relative);
    if (level == 0) {
        return MARK_UNREADABLE;
    }
    uint16_t dark = darker_than(relative, level);
    mark_t dark_pips = face_above(dark);
    return dark_pips != MARK_UNREADABLE ? dark_pips : face_above((uint16_t)(~dark & FULL_GRID));
}

void well_init(well_t *well, const levels_t *levels)
{
    memset(well, 0, sizeof *well);
    well->levels = *levels;
    well->seen = MARK_ABSENT;
    well->said = MARK_UNTOLD;
}

static uint16_t median(uint16_t a, uint16_t b, uint16_t c)
{
    uint16_t values[3] = {a, b, c};
    sort(values, 3);
    return values[1];
}

/* Keeps the scan; false until there are three of them, which give the medians. */
static bool take_median(well_t *well, const uint16_t values[CHANNELS], uint16_t medians[CHANNELS])
{
    memmove(well->recent[0], well->recent[1], 2 * sizeof well->recent[0]);
    memcpy(well->recent[2], values, sizeof well->recent[2]);
    if (well->scans < 3) {
        well->scans++;
    }
    for (uint8_t i = 0; i < CHANNELS; i++) {
        medians[i] = median(well->recent[0][i], well->recent[1][i], well->recent[2][i]);
    }
    return well->scans == 3;
}

static bool stirred(const well_t *well, const uint16_t values[CHANNELS])
{
    for (uint8_t i = 0; i < CHANNELS; i++) {
        uint16_t now = levels_relative(&well->levels, i, values[i]);
        uint16_t then = levels_relative(&well->levels, i, well->still[i]);
        uint16_t change = now > then ? (uint16_t)(now - then) : (uint16_t)(then - now);
        if (change > STIRRED_BY) {
            return true;
        }
    }
    return false;
}

static void relative_to_levels(const well_t *well, const uint16_t values[CHANNELS], uint16_t relative[CHANNELS])
{
    for (uint8_t i = 0; i < CHANNELS; i++) {
        relative[i] = levels_relative(&well->levels, i, values[i]);
    }
}

/* The light sensors that agree with most others: a faulty one shall teach nothing. */
static uint16_t alike(const uint16_t values[CHANNELS], const levels_t *levels, uint16_t light)
{
    uint16_t spans[CHANNELS]; /* in 1/256 of what each is known to give, unlimited */
    uint16_t sorted[CHANNELS];
    uint8_t n = 0;
    for (uint8_t i = 0; i < CHANNELS; i++) {
        spans[i] = levels_unlimited(levels, i, values[i]);
        if (light & BIT(i)) {
            sorted[n++] = spans[i];
        }
    }
    sort(sorted, n);
    uint16_t middle = sorted[n / 2];
    uint16_t bits = 0;
    for (uint8_t i = 0; i < CHANNELS; i++) {
        bool near = spans[i] >= middle / 2 && spans[i] <= middle * 2;
        bits = (uint16_t)(bits | ((light & BIT(i)) && near ? BIT(i) : 0));
    }
    return bits;
}

/* A face that was read teaches what a body looks like, an empty well what nothing looks like. */
static void learn(well_t *well, const uint16_t values[CHANNELS])
{
    uint16_t relative[CHANNELS];
    relative_to_levels(well, values, relative);
    if (well->said == MARK_ABSENT) {
        levels_learn_empty(&well->levels, values, darker_than(relative, ABSENT_BELOW));
    } else if (well->said != MARK_UNREADABLE) {
        uint16_t light = (uint16_t)(~darker_than(relative, parting(relative)) & FULL_GRID);
        levels_learn_body(&well->levels, values, alike(values, &well->levels, light));
    }
}

/* What is to be said while the well is not at rest: MOVE, once it has stirred for long enough. */
static mark_t unrest(well_t *well, uint32_t now_ms)
{
    if (!well->restless) {
        well->restless = true;
        well->restless_since_ms = now_ms;
    }
    bool moving = well->seen != MARK_ABSENT && well->still_since_ms - well->restless_since_ms >= MOVE_MS;
    if (!moving || well->said == MARK_MOVING || well->said == MARK_UNTOLD) {
        return MARK_UNTOLD;
    }
    return well->said = MARK_MOVING;
}

mark_t well_scan(well_t *well, uint32_t now_ms, const uint16_t values[CHANNELS], bool glaring)
{
    uint16_t medians[CHANNELS];
    uint16_t relative[CHANNELS];
    if (!take_median(well, values, medians)) {
        well->still_since_ms = now_ms;
        return MARK_UNTOLD;
    }
    relative_to_levels(well, medians, relative);
    mark_t seen = glaring ? MARK_UNREADABLE : well_read(relative);
    if (seen != well->seen || stirred(well, medians)) {
        well->seen = seen;
        well->still_since_ms = now_ms;
        memcpy(well->still, medians, sizeof well->still);
    }
    if (now_ms - well->still_since_ms < (seen == MARK_ABSENT ? LIFT_MS : SETTLE_MS)) {
        return unrest(well, now_ms);
    }
    well->restless = false;
    if (seen == well->said) {
        return MARK_UNTOLD;
    }
    well->said = seen;
    learn(well, medians);
    return seen;
}
