#include "stimuli.h"

#include <stdio.h>
#include <string.h>

void stimuli_init(stimuli_t *stimuli)
{
    memset(stimuli, 0, sizeof *stimuli);
    stimuli->fault_well = -1;
    stimuli->random = 1;
}

static int noise(stimuli_t *stimuli)
{
    if (stimuli->noise == 0) {
        return 0;
    }
    stimuli->random = stimuli->random * 1664525u + 1013904223u;
    return (int)((stimuli->random >> 8) % (uint32_t)(2 * stimuli->noise + 1)) - stimuli->noise;
}

uint16_t stimuli_count(stimuli_t *stimuli, int well, int channel, bool lit)
{
    if (well == stimuli->fault_well && channel == stimuli->fault_channel) {
        return (uint16_t)stimuli->fault_count;
    }
    int count = stimuli->ambient + (lit ? stimuli->reflected[well][channel] : 0) + noise(stimuli);
    return (uint16_t)(count < 0 ? 0 : count > 1023 ? 1023 : count);
}

bool stimuli_command(stimuli_t *stimuli, const char *command)
{
    int well;
    int r[CHANNELS];
    if (sscanf(command, "set %d %d %d %d %d %d %d %d %d %d %d", &well, &r[0], &r[1], &r[2], &r[3], &r[4], &r[5],
               &r[6], &r[7], &r[8], &r[9]) == 11 &&
        well >= 0 && well < WELLS) {
        memcpy(stimuli->reflected[well], r, sizeof r);
        return true;
    }
    if (strncmp(command, "fault none", 10) == 0) {
        stimuli->fault_well = -1;
        return true;
    }
    return sscanf(command, "ambient %d", &stimuli->ambient) == 1 ||
           sscanf(command, "noise %d %u", &stimuli->noise, &stimuli->random) == 2 ||
           sscanf(command, "fault %d %d %d", &stimuli->fault_well, &stimuli->fault_channel,
                  &stimuli->fault_count) == 3;
}

int stimuli_bytes(const char *command, uint8_t *bytes, int most)
{
    int n = 0;
    unsigned byte;
    const char *hex = command + strlen("send ");
    while (n < most && sscanf(hex, "%2x", &byte) == 1) {
        bytes[n++] = (uint8_t)byte;
        hex += 2;
    }
    return n;
}

void stimuli_sent(uint8_t byte, uint64_t now_ms)
{
    static char line[256];
    static size_t length;
    if (byte != '\n' && length < sizeof line - 1) {
        line[length++] = (char)byte;
        return;
    }
    printf("%llu %.*s\n", (unsigned long long)now_ms, (int)length, line);
    length = 0;
}
