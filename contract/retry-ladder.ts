import { limits } from './values.ts';

/** The two ways in which the delays of the retries can be meant. Section 6.4. */
export const retryReadings = ['each after the one before', 'all after the first'] as const;

export type RetryReading = (typeof retryReadings)[number];

const delays = limits.webhookRetryDelaysSeconds;

/** When the five retries are due by each reading, in seconds after the first attempt. */
export const retryInstantsSeconds: Readonly<Record<RetryReading, readonly number[]>> = {
  'each after the one before': delays.map((_, at) => delays.slice(0, at + 1).reduce((sum, delay) => sum + delay, 0)),
  'all after the first': delays,
};
