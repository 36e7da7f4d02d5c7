/* What the tests do to a tray, one command a line on standard input, the same for the core compiled for this
 * machine and for the real binary in a simulated ATmega:
 *
 *   set WELL R0 ... R9   light that comes back from each sensor's emitter, in ADC counts
 *   ambient N            daylight at every sensor, in ADC counts
 *   noise N SEED         each sample is off by up to N counts either way
 *   fault WELL CHANNEL N this sensor gives N whatever happens; `fault none` mends it
 *   send HEX             bytes from the host
 *   run MS               let time pass; answers `<ms> <line>` for each line the tray has sent, then `done`
 *   restart              power off and on; the EEPROM stays
 *   tear SLOT BYTE       turn a byte of an image in EEPROM
 *   stall 0|1            conversions never finish (only in the simulated ATmega)
 */
#ifndef BLOTLIGHT_STIMULI_H
#define BLOTLIGHT_STIMULI_H

#include <stdbool.h>
#include <stdint.h>

#include "levels.h"

typedef struct {
    int reflected[WELLS][CHANNELS];
    int ambient;
    int noise;
    uint32_t random;
    int fault_well; /* -1: none */
    int fault_channel;
    int fault_count;
} stimuli_t;

void stimuli_init(stimuli_t *stimuli);

/* The count that a sample gives. */
uint16_t stimuli_count(stimuli_t *stimuli, int well, int channel, bool lit);

/* Takes a command that only changes what the sensors see; false when it is another. */
bool stimuli_command(stimuli_t *stimuli, const char *command);

/* The bytes of a `send` command into `bytes`; how many. */
int stimuli_bytes(const char *command, uint8_t *bytes, int most);

/* Collects a byte that the tray sent, and prints each line with the time at which it was complete. */
void stimuli_sent(uint8_t byte, uint64_t now_ms);

#endif
