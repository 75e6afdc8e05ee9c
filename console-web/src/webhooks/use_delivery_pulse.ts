// Reports that deliveries have changed, so that their data are requested again.
import { useStreamPulse } from '../data/use_stream_pulse.ts'

/** For the delivery of this id, or for any delivery. */
export const useDeliveryPulse = (id: string | null = null): string => useStreamPulse('webhook_deliveries', id)
