// Addresses of public services: one setting for each entropy source and for each service that verifications ask.
import {
  LOOKUP_PLACE_NAMES,
  LOOKUP_PLACES,
  type LookupPlace,
} from '../../shared/proof/lookups/lookup_places.ts'
import { SOURCE_CHOICES, SOURCES, type SourceChoice } from '../domain/entropy/sources.ts'

interface AddressSetting {
  readonly byDefault: string
  readonly meaning: string
}

/** e.g. `ENTROPY_NIST_URL` */
export const sourceSetting = (choice: SourceChoice): string => `ENTROPY_${choice.toUpperCase()}_URL`

export const lookupSetting = (place: LookupPlace): string => LOOKUP_PLACES[place].setting

/** Each is set with its table: `SOURCES` and `LOOKUP_PLACES`. */
export const ADDRESS_SETTINGS: ReadonlyMap<string, AddressSetting> = new Map<string, AddressSetting>([
  ...SOURCE_CHOICES.map((choice) => [sourceSetting(choice), SOURCES[choice]] as const),
  ...LOOKUP_PLACE_NAMES.map((place) => [lookupSetting(place), LOOKUP_PLACES[place]] as const),
])
