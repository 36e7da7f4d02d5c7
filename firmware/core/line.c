#include "line.h"

#include <string.h>

static const char HEX[] = "0123456789ABCDEF";

/* "*CRC4" and the newline must always find room. */
#define ROOM_FOR_END 6

uint16_t crc16_add(uint16_t crc, uint8_t byte)
{
    crc = (uint16_t)(crc ^ ((uint16_t)byte << 8));
    for (uint8_t bit = 0; bit < 8; bit++) {
        bool high = (crc & 0x8000u) != 0;
        crc = (uint16_t)(crc << 1);
        if (high) {
            crc ^= 0x1021u;
        }
    }
    return crc;
}

static void put(line_t *line, char c)
{
    if (line->length < LINE_MAX_BYTES - ROOM_FOR_END) {
        line->text[line->length++] = c;
    }
}

static void put_text(line_t *line, const char *text)
{
    while (*text != '\0') {
        put(line, *text++);
    }
}

static void put_number(line_t *line, uint32_t number)
{
    char digits[10];
    uint8_t n = 0;
    do {
        digits[n++] = (char)('0' + number % 10);
        number /= 10;
    } while (number > 0);
    while (n > 0) {
        put(line, digits[--n]);
    }
}

void line_begin(line_t *line, uint8_t seq, const char *type)
{
    line->length = 0;
    put(line, '$');
    put_number(line, seq);
    line_add_text(line, type);
}

void line_add_text(line_t *line, const char *text)
{
    put(line, ',');
    put_text(line, text);
}

void line_add_char(line_t *line, char c)
{
    put(line, ',');
    put(line, c);
}

void line_add_number(line_t *line, uint32_t number)
{
    put(line, ',');
    put_number(line, number);
}

static uint16_t checksum(const char *text, uint8_t length)
{
    uint16_t crc = CRC16_START;
    for (uint8_t i = 0; i < length; i++) {
        crc = crc16_add(crc, (uint8_t)text[i]);
    }
    return crc;
}

void line_end(line_t *line)
{
    uint16_t crc = checksum(line->text + 1, (uint8_t)(line->length - 1));
    line->text[line->length++] = '*';
    for (uint8_t shift = 16; shift > 0; shift = (uint8_t)(shift - 4)) {
        line->text[line->length++] = HEX[(crc >> (shift - 4)) & 0xF];
    }
    line->text[line->length++] = '\n';
}

void line_reader_init(line_reader_t *reader)
{
    reader->length = 0;
    reader->inside = false;
}

/* The value of the four digits behind the asterisk, or -1. */
static int32_t hex4(const char *digits)
{
    int32_t value = 0;
    for (uint8_t i = 0; i < 4; i++) {
        const char *found = digits[i] == '\0' ? NULL : strchr(HEX, digits[i]);
        if (found == NULL) {
            return -1;
        }
        value = value * 16 + (int32_t)(found - HEX);
    }
    return value;
}

/* "<seq>,<TYPE>" without fields, as every request of the host is. */
static request_t request_in(const char *body, uint8_t length)
{
    uint8_t i = 0;
    while (i < length && i < 3 && body[i] >= '0' && body[i] <= '9') {
        i++;
    }
    if (i == 0 || i == length || body[i] != ',') {
        return REQUEST_BAD;
    }
    const char *type = body + i + 1;
    uint8_t type_length = (uint8_t)(length - i - 1);
    if (type_length == 5 && memcmp(type, "HELLO", 5) == 0) {
        return REQUEST_HELLO;
    }
    if (type_length == 4 && memcmp(type, "SNAP", 4) == 0) {
        return REQUEST_SNAP;
    }
    return REQUEST_BAD;
}

static request_t finished_line(const line_reader_t *reader)
{
    /* body, '*', four digits */
    if (reader->length < 6 || reader->text[reader->length - 5] != '*') {
        return REQUEST_BAD;
    }
    uint8_t body = (uint8_t)(reader->length - 5);
    if (hex4(reader->text + body + 1) != (int32_t)checksum(reader->text, body)) {
        return REQUEST_BAD;
    }
    return request_in(reader->text, body);
}

request_t line_reader_take(line_reader_t *reader, uint8_t byte)
{
    if (byte == '$') {
        bool cut_off = reader->inside && reader->length > 0;
        request_t before = cut_off ? finished_line(reader) : REQUEST_NONE;
        reader->inside = true;
        reader->length = 0;
        return before;
    }
    if (!reader->inside) {
        return REQUEST_NONE; /* noise between lines */
    }
    if (byte == '\n') {
        reader->inside = false;
        return finished_line(reader);
    }
    if (byte == '\r') {
        return REQUEST_NONE;
    }
    if (reader->length == LINE_MAX_BYTES) {
        reader->inside = false;
        return REQUEST_BAD;
    }
    reader->text[reader->length++] = (char)byte;
    return REQUEST_NONE;
}
