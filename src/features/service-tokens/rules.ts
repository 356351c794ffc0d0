/** For how many days a token may be issued; what is offered, and the longest. Rule: sessions#services. */
export const days = [30, 90, 180, 365] as const;
export const LONGEST_DAYS = 730;

/** For how many hours a secret may serve beside the one that follows it; a day is what a night and a weekend shift need. */
export const overlaps = [0, 1, 24, 168] as const;
export const USUAL_OVERLAP = 24;
export const LONGEST_OVERLAP = 168;
