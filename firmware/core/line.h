/* Lines on the wire: framing and checksum. PROTOCOL.md is the contract. */
#ifndef BLOTLIGHT_LINE_H
#define BLOTLIGHT_LINE_H

#include <stdbool.h>
#include <stdint.h>

#define LINE_MAX_BYTES 64 /* from '$' to the newline, both included */

/* CRC-16/CCITT-FALSE: polynomial 0x1021, start 0xFFFF, not reflected. */
#define CRC16_START 0xFFFFu
uint16_t crc16_add(uint16_t crc, uint8_t byte);

/* A line being written. What does not fit is left out, so a line is never longer than LINE_MAX_BYTES. */
typedef struct {
    char text[LINE_MAX_BYTES];
    uint8_t length;
} line_t;

void line_begin(line_t *line, uint8_t seq, const char *type);
void line_add_text(line_t *line, const char *text); /* a field, with its comma */
void line_add_char(line_t *line, char c);
void line_add_number(line_t *line, uint32_t number);
void line_end(line_t *line); /* the checksum and the newline */

/* What the host may ask for. */
typedef enum { REQUEST_NONE, REQUEST_BAD, REQUEST_HELLO, REQUEST_SNAP } request_t;

/* Lines from the host, byte by byte. A '$' always starts a new line. */
typedef struct {
    char text[LINE_MAX_BYTES];
    uint8_t length;
    bool inside; /* a '$' has come and the line has not ended */
} line_reader_t;

void line_reader_init(line_reader_t *reader);

/* Takes one byte. REQUEST_NONE until a line is complete; REQUEST_BAD for one that is damaged or unknown. */
request_t line_reader_take(line_reader_t *reader, uint8_t byte);

#endif
