/** Digits, +, - and blanks, and at least one digit. Rule: parcels#registering. */
export const isPhone = (text: string): boolean => /^[0-9+\- ]+$/.test(text) && /\d/.test(text);

/** Something, an @, and a domain with a dot. Rule: parcels#registering. */
export const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@.]+(\.[^\s@.]+)+$/.test(text);
