/** What the ingest of hash rates, its charts and the tidying have in common. Rule: hash-rate#samples. */

/** Whoever reported within so many minutes is online. Rule: hash-rate#last-seen. */
export const ONLINE_MINUTES = 10;

/** How far a collector's clock may be ahead of ours. */
export const AHEAD_MINUTES = 10;

/** How old a sample may be when it is handed in: the week that a chart by the hour shows. */
export const LATEST_DAYS = 7;

/** How long samples are kept: a day longer than they may be handed in, so that a repeat is always known as one. */
export const SAMPLE_DAYS = LATEST_DAYS + 1;

/** How long the sums of hours and days are kept: a day longer than the longest chart. */
export const SLOT_DAYS = 91;

/** How many samples one call may hand in. */
export const MOST_SAMPLES = 5000;

/** No machine and no farm of one line reaches it: TH/s. */
export const MOST_RATE = 1_000_000_000;

/** Samples a second that a token may hand in for ever, and how many at once after it was silent. Rule: hash-rate#limits. */
export const SAMPLES_A_SECOND = 2000;
export const SAMPLES_AT_ONCE = 60_000;

/** What a service token may be for: the name of its call's right. */
export const INGEST = 'hashRateIngest';
