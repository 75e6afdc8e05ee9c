// The newest pulse of the NIST Randomness Beacon, version 2.0 (NISTIR 8213).
import {
  countMember,
  instantMember,
  objectMember,
  objectOf,
  textMember,
} from '../../../outgoing/strict_answer.ts'
import type { Source } from '../source.ts'

/** Payload: `{"pulse": {"chainIndex": 2, "outputValue": "0668…B7A9", "pulseIndex": 1234567, "timeStamp": "…", "version": "2.0"}}` */
export const nist: Source = {
  name: 'entropy_nist',
  byDefault: 'https://beacon.nist.gov/beacon/2.0',
  meaning: 'NIST Randomness Beacon, version 2.0',
  read: async (ask) => {
    const pulse = objectMember(objectOf(await ask('/pulse/last')), 'pulse')
    const { text: timeStamp, at: publishedAt } = instantMember(pulse, 'timeStamp')
    return {
      payload: {
        pulse: {
          chainIndex: countMember(pulse, 'chainIndex'),
          outputValue: textMember(pulse, 'outputValue', OUTPUT_VALUE),
          pulseIndex: countMember(pulse, 'pulseIndex'),
          timeStamp,
          version: textMember(pulse, 'version', VERSION),
        },
      },
      publishedAt,
    }
  },
}

/** 64 bytes. The beacon prints capitals. Either case is kept, but a mix of both is rejected. */
const OUTPUT_VALUE = /^(?:[0-9A-F]{128}|[0-9a-f]{128})$/

/** e.g. `Version 2.0` */
const VERSION = /^[\x20-\x7e]{1,64}$/
