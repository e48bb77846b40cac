import type { CustomFields } from '#libs/entities';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsBoolean,
  IsNotEmpty,
  IsOptional,
  IsString,
  MaxLength,
  ValidateBy,
  ValidateIf,
  type ValidationOptions,
  getMetadataStorage,
} from 'class-validator';
import { ApiDescription, type Description } from './api-operation.decorator.js';
import * as patterns from './field-patterns.js';

export const MAX_BODY_CHARACTERS = 500_000;
export const MAX_SIGNATURE = 2000;
const MAX_EMAIL_CHARACTERS = 254;
const MAX_CURSOR_CHARACTERS = 1000;

export type ValidationRule = ReturnType<typeof rulesOf>[number];

/** The rules that decorators have set on the fields of a DTO. */
export const rulesOf = (dto: new () => object) =>
  getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);

export const isNested = ({ name }: ValidationRule): boolean => name === 'isInstance';

export const Text = (max: number) => applyDecorators(IsString(), IsNotEmpty(), MaxLength(max));

export const TextOrEmpty = (max: number) => applyDecorators(IsString(), MaxLength(max));

const MatchesPattern = (name: string, pattern: RegExp, options: ValidationOptions = {}) => {
  const validate = (value: unknown) => typeof value === 'string' && pattern.test(value);
  return ValidateBy({ name, validator: { validate } }, options);
};

type CodeOf = (value: unknown) => string | undefined;

/** `faultOf` says what a value must be, or null. */
export function FreeOfFaults(name: string, code: string | CodeOf, faultOf: (value: unknown) => string | null) {
  const validate = (value: unknown) => faultOf(value) === null;
  const defaultMessage = (tried?: { readonly value: unknown }) => faultOf(tried?.value) ?? '';
  return ValidateBy({ name, validator: { validate, defaultMessage } }, { context: { code } });
}

export const Email = () => applyDecorators(MatchesPattern('isEmail', patterns.EMAIL), MaxLength(MAX_EMAIL_CHARACTERS));

export const HostName = () => applyDecorators(MatchesPattern('isHostName', patterns.HOST_NAME), MaxLength(253));

export const Line = (max: number) => applyDecorators(MatchesPattern('isLine', patterns.LINE), MaxLength(max));

export const HttpsAddress = () =>
  applyDecorators(MatchesPattern('isHttpsAddress', patterns.HTTPS_ADDRESS), MaxLength(2000));

type Rules = readonly PropertyDecorator[];

/** The rules apply like decorators below each other: the last one first. */
const describe = (about: string | Description, condition: PropertyDecorator, rules: Rules) =>
  applyDecorators(...rules.toReversed(), condition, ApiDescription(about));

/** May be absent or null. */
export const Optional = (about: string | Description, ...rules: Rules) => describe(about, IsOptional(), rules);

const isNotNull = (_object: object, value: unknown): boolean => value !== null;

/** Required; null clears the field. */
export const Nullable = (about: string, ...rules: Rules) => describe(about, ValidateIf(isNotNull), rules);

const isThere = (_object: object, value: unknown): boolean => value !== undefined;

/** May be absent, but not null. */
export const OptionalNotNull = (about: string, ...rules: Rules) => describe(about, ValidateIf(isThere), rules);

export const refusesNull = (condition: unknown): boolean => condition === isThere;

export const BooleanFlag = () =>
  applyDecorators(
    Transform(({ value }: { value: unknown }) => flagOf(value)),
    IsBoolean(),
  );

const BOOLEAN_WORDS = new Map<unknown, boolean>([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

export const flagOf = (value: unknown): unknown => BOOLEAN_WORDS.get(value) ?? value;

export const splitCommas = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== '')
    : value;

/** Like `splitCommas`, but an empty filter is absent. */
export const splitFilter = (field: { value: unknown }): unknown => {
  const values = splitCommas(field);
  return Array.isArray(values) && values.length === 0 ? undefined : values;
};

export const ListFilter = (description: string, isKnown: PropertyDecorator) =>
  Optional(description, Transform(splitFilter), isKnown);

export const Tags = () =>
  applyDecorators(
    Transform(splitCommas),
    IsArray(),
    ArrayMaxSize(50),
    IsString({ each: true }),
    IsNotEmpty({ each: true }),
    MaxLength(100, { each: true }),
  );

/** Splits at commas, except within a quoted local part. */
function splitAddresses({ value }: { value: unknown }): unknown {
  if (typeof value !== 'string') return value;
  const parts = [''];
  let isQuoted = false;
  let isEscaped = false;
  for (const sign of value) {
    if (sign === '"' && !isEscaped) isQuoted = !isQuoted;
    isEscaped = isQuoted && sign === '\\' && !isEscaped;
    if (sign === ',' && !isQuoted) parts.push('');
    else parts.push(`${parts.pop()}${sign}`);
  }
  return parts.map((part) => part.trim()).filter((part) => part !== '');
}

export const Emails = (max: number) =>
  applyDecorators(
    Transform(splitAddresses),
    IsArray(),
    ArrayMaxSize(max),
    MatchesPattern('isEmail', patterns.EMAIL, { each: true }),
    MaxLength(MAX_EMAIL_CHARACTERS, { each: true }),
  );

export const IsEmailOrId = () =>
  applyDecorators(MatchesPattern('isEmailOrId', patterns.EMAIL_OR_ID), MaxLength(MAX_EMAIL_CHARACTERS));

/** Also accepts `unassigned`, because a form has no null. */
export const IsAssignee = () =>
  applyDecorators(MatchesPattern('isAssignee', patterns.ASSIGNEE), MaxLength(MAX_EMAIL_CHARACTERS));

export const IsId = () => MatchesPattern('isId', patterns.UUID);

export const IsLastStatus = (each: boolean) => MatchesPattern('isLastStatus', patterns.LAST_STATUS, { each });

export const IsCursor = () =>
  applyDecorators(MatchesPattern('isCursor', patterns.CURSOR), MaxLength(MAX_CURSOR_CHARACTERS));

/** A query string turns the "+" of an offset into a space. */
const withOffset = ({ value }: { value: unknown }): unknown =>
  typeof value === 'string' ? value.replace(/ (?=\d\d:?\d\d$)/, '+') : value;

export const IsTime = () => applyDecorators(Transform(withOffset), MatchesPattern('isTime', patterns.TIME));

export const timeOf = (text: string | undefined | null): Date | undefined =>
  text === undefined || text === null ? undefined : new Date(text);

const MAX_CUSTOM_FIELDS = 50;
const MAX_CUSTOM_BYTES = 8 * 1024;

export const IsCustomFields = () =>
  ValidateBy({ name: 'isCustom', constraints: [MAX_CUSTOM_FIELDS], validator: { validate: isCustom } });

function isCustom(value: unknown): value is CustomFields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const values = Object.values(value);
  return (
    values.length <= MAX_CUSTOM_FIELDS &&
    values.every((part) => part === null || ['string', 'number', 'boolean'].includes(typeof part)) &&
    Buffer.byteLength(JSON.stringify(value)) <= MAX_CUSTOM_BYTES
  );
}
