// The validation rules and the OpenAPI document share these patterns. JSON Schema uses the `u` flag.

/** Without spaces, U+2000–2BFF, surrogates and private use. */
const FOREIGN = String.raw`\u00a1-\u167f\u1681-\u1fff\u2c00-\u2fff\u3001-\ud7ff\uf900-\ufdcf\ufdf0-\ufefe`;
/** U+2000–2BFF without spaces, and full-width forms. */
const SYMBOLS = String.raw`\u200b-\u2027\u202a-\u202e\u2030-\u205e\u2060-\u2bff\uff00-\uffef`;
/** Without spaces and line breaks, because emails are not sent to an address with one. */
const ATOM = String.raw`[A-Za-z\d!#$%&'*+/=?^_\x60{|}~\-${FOREIGN}${SYMBOLS}]+`;
/** Excludes line breaks, which would start another header in an email. */
const QUOTED = String.raw`"(?:[^"\\\x00-\x1f\x7f-\x9f\u2028\u2029]|\\[^\x00-\x1f\x7f-\x9f\u2028\u2029])+"`;
const LABEL = String.raw`[A-Za-z\d${FOREIGN}]+(?:-+[A-Za-z\d${FOREIGN}]+)*`;
const TOP_LABEL = String.raw`(?:[A-Za-z${FOREIGN}]{2,}|[xX][nN](?:-*[A-Za-z\d])+)`;
const ADDRESS = String.raw`(?:${ATOM}(?:\.${ATOM})*|${QUOTED})@(?:${LABEL}\.)+${TOP_LABEL}`;
const ID = String.raw`[\da-fA-F]{8}(?:-[\da-fA-F]{4}){3}-[\da-fA-F]{12}`;

export const EMAIL = new RegExp(`^${ADDRESS}$`, 'u');
export const EMAIL_OR_ID = new RegExp(`^(?:${ADDRESS}|${ID})$`, 'u');
export const ASSIGNEE = new RegExp(`^(?:${ADDRESS}|${ID}|unassigned)$`, 'u');

const LETTERS = String.raw`\u00a1-\u167f\u3001-\ud7ff`;
const COMMON_ATOM = String.raw`[!#-'*+/-9=?A-Z^-~${LETTERS}-]+`;
const COMMON_LABEL = `[A-Za-z0-9${LETTERS}]+`;
const COMMON_ADDRESS = String.raw`${COMMON_ATOM}(?:\.${COMMON_ATOM})*@(?:${COMMON_LABEL}(?:-+${COMMON_LABEL})*\.)+[A-Za-z${LETTERS}]{2,}`;

/** For the OpenAPI document: a third of the length, without quoted local parts and rare scripts. */
export const COMMON_EMAIL_OR_ID = `^(?:${COMMON_ADDRESS}|${ID})$`;
export const COMMON_ASSIGNEE = `^(?:${COMMON_ADDRESS}|${ID}|unassigned)$`;

const YEAR = String.raw`(?:19[7-9]\d|[2-9]\d{3})`;
/** Without it, `new Date` would move 29 February to 1 March. */
const LEAP_YEAR = String.raw`(?:19(?:7[26]|8[048]|9[26])|[2-9]\d(?:0[48]|[2468][048]|[13579][26])|(?:[2468][048]|[3579][26])00)`;
const DAY = String.raw`(?:${YEAR}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)|${LEAP_YEAR}-02-29)`;
const OF_DAY = String.raw`(?:[01]\d|2[0-3]):[0-5]\d`;
const ISO_TIME = String.raw`${DAY}(?:T${OF_DAY}(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):?[0-5]\d))?`;
const WEEKDAY = '(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)';
const LONG_MONTH = 'Jan|Mar|May|Jul|Aug|Oct|Dec';
const MONTH_BUT_FEBRUARY = `${LONG_MONTH}|Apr|Jun|Sep|Nov`;
const ZONE = String.raw`(?:[+-](?:0\d|1[0-4])[0-5]\d|UT|GMT|Z|[ECMP][SD]T)`;
const DAY_OF_MONTH = String.raw`(?:(?:0?[1-9]|1\d|2[0-8]) (?:Feb|${MONTH_BUT_FEBRUARY})|(?:29|30) (?:${MONTH_BUT_FEBRUARY})|31 (?:${LONG_MONTH}))`;
const MAIL_DAY = String.raw`(?:${WEEKDAY}, )?(?:${DAY_OF_MONTH} ${YEAR}|29 Feb ${LEAP_YEAR})`;

/** ISO 8601 or RFC 822. */
export const TIME = new RegExp(String.raw`^(?:${ISO_TIME}|${MAIL_DAY} ${OF_DAY}(?::[0-5]\d)? ${ZONE})$`, 'u');

export const UUID = new RegExp(`^${ID}$`, 'u');

export const LAST_STATUS = /^(?:[1-5](?:\d\d|xx)|none)$/u;

export const CURSOR = /^[\w-]+$/u;

export const HOST_NAME = /^[\w.:-]+$/u;

const CONTROL = String.raw`\u0000-\u001f\u007f-\u009f\u2028\u2029`;

export const LINE = new RegExp(`^[^${CONTROL}]+$`, 'u');

const PORT = String.raw`(?:[1-9]\d{0,3}|[1-5]\d{4}|6[0-4]\d{3}|65[0-4]\d{2}|655[0-2]\d|6553[0-5])`;

export const HTTPS_ADDRESS = new RegExp(
  String.raw`^https://(?:[A-Za-z\d]+(?:-+[A-Za-z\d]+)*\.)+(?:[A-Za-z]{2,63}|[xX][nN](?:-*[A-Za-z\d])+)(?::${PORT})?(?:/[^\s${CONTROL}@]*)?$`,
  'u',
);
