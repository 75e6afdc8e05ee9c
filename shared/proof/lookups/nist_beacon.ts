// Questions to the NIST Randomness Beacon, version 2.0 (NISTIR 8213).
import { integerIn, memberIn, type Question, stringIn } from './lookup.ts'

export interface NistPulse {
  readonly chainIndex: number | undefined
  readonly pulseIndex: number | undefined
  readonly outputValue: string
  readonly timeStamp: string
}

export const nistPulse = (chainIndex: number, pulseIndex: number): Question<NistPulse> => ({
  place: 'nist',
  path: `chain/${chainIndex}/pulse/${pulseIndex}`,
  read: (body) => {
    const pulse = memberIn(body, 'pulse')
    const outputValue = stringIn(pulse, 'outputValue')
    const timeStamp = stringIn(pulse, 'timeStamp')
    if (outputValue === undefined || timeStamp === undefined) return undefined
    return {
      chainIndex: integerIn(pulse, 'chainIndex'),
      pulseIndex: integerIn(pulse, 'pulseIndex'),
      outputValue,
      timeStamp,
    }
  },
})
