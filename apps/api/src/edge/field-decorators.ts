import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsNotEmpty,
  IsString,
  MaxLength,
  ValidateBy,
  ValidateIf,
  type ValidationOptions,
} from 'class-validator';
import { ASSIGNEE, CURSOR, EMAIL, EMAIL_OR_ID, HOST_NAME, HTTPS_ADDRESS, LINE, TIME } from './field-patterns.js';

// The validation rules of request fields. The OpenAPI document derives from them.

export const MAX_BODY_CHARACTERS = 500_000;
export const MAX_SIGNATURE = 2000;
const MAX_EMAIL_CHARACTERS = 254;
const MAX_CURSOR_CHARACTERS = 1000;

export const Text = (max: number) => applyDecorators(IsString(), IsNotEmpty(), MaxLength(max));

/** May be the empty string. */
export const TextOrEmpty = (max: number) => applyDecorators(IsString(), MaxLength(max));

const MatchesPattern = (name: string, pattern: RegExp, options: ValidationOptions = {}) =>
  ValidateBy(
    { name, validator: { validate: (value: unknown) => typeof value === 'string' && pattern.test(value) } },
    options,
  );

export const Email = () => applyDecorators(MatchesPattern('isEmail', EMAIL), MaxLength(MAX_EMAIL_CHARACTERS));

export const HostName = () => applyDecorators(MatchesPattern('isHostName', HOST_NAME), MaxLength(253));

/** Text without a line break, or anything else that no protocol carries. */
export const Line = (max: number) => applyDecorators(MatchesPattern('isLine', LINE), MaxLength(max));

export const HttpsAddress = () => applyDecorators(MatchesPattern('isHttpsAddress', HTTPS_ADDRESS), MaxLength(2000));

/** Required, but may be null, which clears it. */
export const Nullable = () => ValidateIf((_object, value) => value !== null);

const isThere = (_object: object, value: unknown): boolean => value !== undefined;

/** May be absent, but not null: there is nothing that null could mean. */
export const OptionalNotNull = () => ValidateIf(isThere);

/** Whether a condition is that of `OptionalNotNull`. */
export const refusesNull = (condition: unknown): boolean => condition === isThere;

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

/** A form has them as one text. A quoted local part may have commas in it. */
function splitAddresses({ value }: { value: unknown }): unknown {
  if (typeof value !== 'string') return value;
  const parts = [''];
  let [isQuoted, isEscaped] = [false, false];
  for (const sign of value) {
    if (sign === '"' && !isEscaped) isQuoted = !isQuoted;
    isEscaped = isQuoted && sign === '\\' && !isEscaped;
    if (sign === ',' && !isQuoted) parts.push('');
    else parts.push(`${parts.pop()}${sign}`);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

/** Addresses, as a list or with commas between them. */
export const Emails = (max: number) =>
  applyDecorators(
    Transform(splitAddresses),
    IsArray(),
    ArrayMaxSize(max),
    MatchesPattern('isEmail', EMAIL, { each: true }),
    MaxLength(MAX_EMAIL_CHARACTERS, { each: true }),
  );

/** An e-mail address or an id. */
export const IsEmailOrId = () =>
  applyDecorators(MatchesPattern('isEmailOrId', EMAIL_OR_ID), MaxLength(MAX_EMAIL_CHARACTERS));

/** The same, or the word that stands for nobody, because a form has no null. */
export const IsAssignee = () =>
  applyDecorators(MatchesPattern('isAssignee', ASSIGNEE), MaxLength(MAX_EMAIL_CHARACTERS));

/** Where a list or a feed goes on, as it was given out. */
export const IsCursor = () => applyDecorators(MatchesPattern('isCursor', CURSOR), MaxLength(MAX_CURSOR_CHARACTERS));

/** A query string turns the "+" of an offset into a space. */
const withOffset = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.replace(/ (?=\d\d:?\d\d$)/, '+') : value;

/** ISO 8601 with an offset, or a date, which means midnight UTC; or RFC 822. From 1970 on. */
export const IsTime = () => applyDecorators(Transform(withOffset), MatchesPattern('isTime', TIME));

export const timeOf = (text: string | undefined | null): Date | undefined =>
  text === undefined || text === null ? undefined : new Date(text);
