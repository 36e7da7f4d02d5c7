/* The tray's core on this machine, under the commands of stimuli.h. */
#include <stdio.h>
#include <string.h>

#include "stimuli.h"
#include "tray.h"

#define SAMPLE_US 200
#define BYTE_US 87 /* 115200 baud */

static tray_t tray;
static stimuli_t stimuli;
static uint8_t eeprom[2][IMAGE_BYTES];
static uint64_t now_us;

static uint32_t now_ms(void)
{
    return (uint32_t)(now_us / 1000);
}

static void store(void)
{
    uint8_t image[IMAGE_BYTES];
    uint8_t slot;
    if (tray_store(&tray, now_ms(), image, &slot)) {
        memcpy(eeprom[slot], image, sizeof image);
    }
}

static void run(unsigned ms)
{
    for (uint64_t until_us = now_us + ms * 1000ull; now_us < until_us; now_us += SAMPLE_US) {
        sample_t sample = tray_wanted(&tray);
        tray_take(&tray, now_ms(), stimuli_count(&stimuli, sample.well, sample.channel, sample.lit));
        for (int sent = 0; sent < SAMPLE_US / BYTE_US; sent++) {
            int16_t byte = tray_send(&tray);
            if (byte >= 0) {
                stimuli_sent((uint8_t)byte, now_us / 1000);
            }
        }
        store();
    }
    puts("done");
    fflush(stdout);
}

static void start(void)
{
    tray_init(&tray);
    tray_recall(&tray, eeprom[0]);
    tray_recall(&tray, eeprom[1]);
    tray_start(&tray, now_ms(), STARTED_BY_POWER);
}

int main(void)
{
    char command[4096];
    uint8_t bytes[2048];
    unsigned a;
    unsigned b;
    memset(eeprom, 0xFF, sizeof eeprom);
    stimuli_init(&stimuli);
    start();
    while (fgets(command, sizeof command, stdin) != NULL) {
        if (strncmp(command, "send ", 5) == 0) {
            int n = stimuli_bytes(command, bytes, sizeof bytes);
            for (int i = 0; i < n; i++) {
                tray_receive(&tray, bytes[i]);
            }
        } else if (sscanf(command, "run %u", &a) == 1) {
            run(a);
        } else if (strncmp(command, "restart", 7) == 0) {
            start();
        } else if (sscanf(command, "tear %u %u", &a, &b) == 2 && a < 2 && b < IMAGE_BYTES) {
            eeprom[a][b] ^= 0x10;
        } else if (!stimuli_command(&stimuli, command)) {
            fprintf(stderr, "no such command: %s", command);
            return 2;
        }
    }
    return 0;
}
