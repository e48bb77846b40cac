import { isUuid } from '#libs/database';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsEmail,
  IsNotEmpty,
  IsString,
  MaxLength,
  ValidateBy,
  ValidateIf,
  isEmail,
} from 'class-validator';

// The validation rules of request fields. The OpenAPI document derives from them.

export const MAX_BODY_CHARACTERS = 500_000;
const MAX_EMAIL_CHARACTERS = 254;
/** RFC 5321 lets a quoted local part hold a line break, which would begin a header of its own in a mail. */
const NOT_AN_EMAIL = { message: '$property must be an e-mail address' };
const WITHOUT_CONTROLS = { blacklisted_chars: '\\x00-\\x1f\\x7f' };

export const Text = (max: number) => applyDecorators(IsString(), IsNotEmpty(), MaxLength(max));

/** May be the empty string. */
export const TextOrEmpty = (max: number) => applyDecorators(IsString(), MaxLength(max));

export const Email = () => applyDecorators(IsEmail(WITHOUT_CONTROLS, NOT_AN_EMAIL), MaxLength(MAX_EMAIL_CHARACTERS));

/** Required, but may be null, which clears it. */
export const Nullable = () => ValidateIf((_object, value) => value !== null);

/** Also accepts the words that a form sends for a boolean. */
export const BooleanFlag = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => BOOLEAN_WORDS.get(value) ?? value),
    IsBoolean(),
  );

const BOOLEAN_WORDS = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

/** Reads a string as a list, separated by commas. */
export const splitCommas = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : value;

/** For a filter: one that names nothing narrows nothing down. */
export const splitFilter = (field: { value: unknown }): unknown => {
  const values = splitCommas(field);
  return Array.isArray(values) && values.length === 0 ? undefined : values;
};

export const Tags = () =>
  applyDecorators(
    Transform(splitCommas),
    IsArray(),
    ArrayMaxSize(50),
    IsString({ each: true }),
    IsNotEmpty({ each: true }),
    MaxLength(100, { each: true }),
  );

/** An e-mail address or an id. */
export const IsEmailOrId = () =>
  ValidateBy({
    name: 'isPerson',
    validator: {
      validate: (value: unknown) => typeof value === 'string' && (isUuid(value) || isShortEmail(value)),
      defaultMessage: () => '$property must be an e-mail address or an id',
    },
  });

const isShortEmail = (text: string): boolean => text.length <= MAX_EMAIL_CHARACTERS && isEmail(text, WITHOUT_CONTROLS);

export const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d))?$/;

/** As mail writes it: `Tue, 03 Mar 2026 10:11:12 +0100`. */
const MAIL_TIME =
  /^(?:[A-Z][a-z]{2}, )?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d(?::\d\d)? (?:[+-]\d{4}|UT|GMT|[ECMP][SD]T|Z)$/;

/** A query string turns "+" into a space. */
function toIsoTime({ value }: { value: unknown }): unknown {
  if (typeof value !== 'string') return value;
  const mailTime = value.replace(/ {2}(?=\d{4}$)/, ' +');
  const time = MAIL_TIME.test(mailTime) ? Date.parse(mailTime) : Number.NaN;
  return Number.isNaN(time) ? value.replace(' ', '+') : new Date(time).toISOString();
}

/** ISO 8601 with an offset, or a date, which means midnight UTC; or RFC 822. */
export const IsIsoTime = () =>
  applyDecorators(
    Transform(toIsoTime),
    ValidateBy({
      name: 'isTime',
      validator: {
        validate: (value: unknown) => typeof value === 'string' && ISO_TIME.test(value) && Date.parse(value) >= 0,
        defaultMessage: () => '$property must be a time in ISO 8601 from 1970 on, such as 2026-01-31T12:00:00Z',
      },
    }),
  );

export const timeOf = (text: string | undefined | null): Date | undefined =>
  text === undefined || text === null ? undefined : new Date(text);
