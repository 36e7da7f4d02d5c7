#include "tray.h"

#include <string.h>

static void queue(tray_t *tray, line_t *line)
{
    line_end(line);
    tray->seq++;
    if (line->length > SEND_BYTES - tray->send_length) {
        return; /* the gap in the numbers tells the host */
    }
    for (uint8_t i = 0; i < line->length; i++) {
        tray->sending[(uint16_t)(tray->send_head + tray->send_length) % SEND_BYTES] = line->text[i];
        tray->send_length++;
    }
}

static void say(tray_t *tray, const char *type, const char *field)
{
    line_t line;
    line_begin(&line, tray->seq, type);
    if (field != NULL) {
        line_add_text(&line, field);
    }
    queue(tray, &line);
}

static void say_hello(tray_t *tray)
{
    line_t line;
    line_begin(&line, tray->seq, "HELLO");
    line_add_number(&line, PROTOCOL_NUMBER);
    line_add_text(&line, FIRMWARE_VERSION);
    line_add_number(&line, WELLS);
    line_add_text(&line, "face+move");
    queue(tray, &line);
}

static void say_mark(tray_t *tray, uint8_t well, mark_t mark)
{
    line_t line;
    line_begin(&line, tray->seq, mark == MARK_MOVING ? "MOVE" : "FACE");
    line_add_number(&line, well + 1u);
    if (mark != MARK_MOVING) {
        line_add_char(&line, mark);
    }
    queue(tray, &line);
}

static void say_heartbeat(tray_t *tray)
{
    line_t line;
    line_begin(&line, tray->seq, "HB");
    line_add_number(&line, tray->beats);
    line_add_number(&line, tray->bad_lines);
    queue(tray, &line);
}

void tray_init(tray_t *tray)
{
    memset(tray, 0, sizeof *tray);
    line_reader_init(&tray->reader);
    for (uint8_t i = 0; i < WELLS; i++) {
        levels_default(&tray->stored[i]);
    }
}

void tray_recall(tray_t *tray, const uint8_t image[IMAGE_BYTES])
{
    uint8_t generation;
    if (!image_is_whole(image, &generation)) {
        return;
    }
    if (!tray->recalled || (int8_t)(generation - tray->generation) > 0) {
        image_decode(image, tray->stored);
        tray->generation = generation;
        tray->recalled = true;
    }
}

void tray_start(tray_t *tray, uint32_t now_ms, start_t start)
{
    tray->last_beat_ms = now_ms;
    tray->stored_ms = now_ms;
    for (uint8_t i = 0; i < WELLS; i++) {
        well_init(&tray->wells[i], &tray->stored[i]);
    }
    say(tray, "BOOT", NULL);
    if (start == STARTED_BY_WATCHDOG) {
        say(tray, "ERR", "WATCHDOG");
    }
    if (!tray->recalled) {
        say(tray, "ERR", "LEVELS");
    }
}

sample_t tray_wanted(const tray_t *tray)
{
    return tray->wanted;
}

static void finish_well(tray_t *tray, uint32_t now_ms)
{
    uint8_t well = tray->wanted.well;
    mark_t news = well_scan(&tray->wells[well], now_ms, tray->values, tray->glaring);
    if (news != MARK_UNTOLD) {
        say_mark(tray, well, news);
    }
    tray->glaring = false;
    tray->wanted.channel = 0;
    tray->wanted.well = (uint8_t)((well + 1) % WELLS);
}

static void beat(tray_t *tray, uint32_t now_ms)
{
    if (now_ms - tray->last_beat_ms >= HEARTBEAT_MS) {
        tray->last_beat_ms += HEARTBEAT_MS;
        tray->beats++;
        say_heartbeat(tray);
    }
}

void tray_take(tray_t *tray, uint32_t now_ms, uint16_t count)
{
    sample_t *wanted = &tray->wanted;
    if (!wanted->lit) {
        tray->dark = count;
        tray->glaring = tray->glaring || count > GLARE_COUNT;
        wanted->lit = true;
        return;
    }
    wanted->lit = false;
    tray->values[wanted->channel] = count > tray->dark ? (uint16_t)(count - tray->dark) : 0;
    if (++wanted->channel == CHANNELS) {
        finish_well(tray, now_ms);
    }
    beat(tray, now_ms);
}

static void snap(tray_t *tray)
{
    for (uint8_t well = 0; well < WELLS; well++) {
        if (tray->wells[well].said != MARK_UNTOLD) {
            say_mark(tray, well, tray->wells[well].said);
        }
    }
}

void tray_receive(tray_t *tray, uint8_t byte)
{
    switch (line_reader_take(&tray->reader, byte)) {
    case REQUEST_HELLO:
        say_hello(tray);
        break;
    case REQUEST_SNAP:
        snap(tray);
        break;
    case REQUEST_BAD:
        if (tray->bad_lines < UINT16_MAX) {
            tray->bad_lines++;
        }
        break;
    case REQUEST_NONE:
        break;
    }
}

int16_t tray_send(tray_t *tray)
{
    if (tray->send_length == 0) {
        return -1;
    }
    char byte = tray->sending[tray->send_head];
    tray->send_head = (uint8_t)((tray->send_head + 1) % SEND_BYTES);
    tray->send_length--;
    return (int16_t)byte;
}

static bool worth_storing(const tray_t *tray, uint32_t now_ms)
{
    bool due = !tray->recalled || now_ms - tray->stored_ms >= STORE_EVERY_MS;
    for (uint8_t i = 0; due && i < WELLS; i++) {
        if (levels_moved(&tray->wells[i].levels, &tray->stored[i])) {
            return true;
        }
    }
    return false;
}

bool tray_store(tray_t *tray, uint32_t now_ms, uint8_t image[IMAGE_BYTES], uint8_t *slot)
{
    if (!worth_storing(tray, now_ms)) {
        return false;
    }
    for (uint8_t i = 0; i < WELLS; i++) {
        tray->stored[i] = tray->wells[i].levels;
    }
    tray->generation++;
    tray->stored_ms = now_ms;
    tray->recalled = true;
    image_encode(image, tray->stored, tray->generation);
    *slot = tray->generation % 2;
    return true;
}
