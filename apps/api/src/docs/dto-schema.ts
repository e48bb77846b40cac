import { type JsonSchema, ref } from '#libs/payloads';
import { getMetadataStorage } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';
import { apiDescriptionOf } from '../http/api-description.js';
import { ISO_TIME } from '../http/field-decorators.js';
import type { Dto } from '../http/route-dtos.js';

type RuleSchema = (...constraints: never[]) => JsonSchema;

/** No text may hold one: PostgreSQL cannot keep it. */
const WITHOUT_NUL = String.raw`^[^\u0000]*$`;

/** Validation rules as JSON Schema, so that document and code cannot differ. */
const RULE_SCHEMAS: Readonly<Record<string, RuleSchema>> = {
  isString: () => ({ type: 'string', pattern: WITHOUT_NUL }),
  isNotEmpty: () => ({ minLength: 1 }),
  maxLength: (maxLength: number) => ({ maxLength }),
  isEmail: () => ({ type: 'string', format: 'email' }),
  isIn: (values: readonly string[]) => ({ type: 'string', enum: values }),
  isInt: () => ({ type: 'integer' }),
  min: (minimum: number) => ({ minimum }),
  max: (maximum: number) => ({ maximum }),
  isBoolean: () => ({ type: 'boolean' }),
  isArray: () => ({ type: 'array' }),
  arrayNotEmpty: () => ({ minItems: 1 }),
  arrayMaxSize: (maxItems: number) => ({ maxItems }),
  isPerson: () => ({ type: 'string', minLength: 1, maxLength: 254 }),
  isTime: () => ({ type: 'string', pattern: ISO_TIME.source, examples: ['2026-01-31T12:00:00Z', '2026-01-31'] }),
  arrayUnique: () => ({}),
  isWebhookSecret: () => ({ type: 'string', maxLength: 200, pattern: '^whsec_[A-Za-z0-9+/]+=*$' }),
  isWebhookAddress: () => ({
    type: 'string',
    pattern: '^https?://[^@#]+$',
    maxLength: 2048,
    examples: ['https://receiver.example/hooks'],
  }),
  isCustom: () => ({
    type: 'object',
    maxProperties: 50,
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'] },
  }),
  isInstance: (type: Dto) => ({
    oneOf: [{ type: 'string', format: 'email' }, ref(dtoName(type))],
  }),
  nestedValidation: () => ({}),
};

export interface DtoField {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

export function dtoFields(dto: Dto): DtoField[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  return [...byField(rules)].map(([name, own]) => fieldOf(dto, name, own));
}

/** What generators call it. */
export const dtoName = (dto: Dto): string => dto.name.replace(/Dto$/, 'Input');

/** Its schema, and those of what is nested in it, by name. */
export function dtoSchemas(dto: Dto): Record<string, JsonSchema> {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  const nested = rules.filter(({ name }) => name === 'isInstance').map(({ constraints }) => constraints?.[0] as Dto);
  return Object.assign({ [dtoName(dto)]: dtoSchema(dto) }, ...nested.map((one) => dtoSchemas(one)));
}

function dtoSchema(dto: Dto): JsonSchema {
  const fields = dtoFields(dto);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, withDefaultInWords(schema)])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    ...(dto.oneOfThese && { anyOf: dto.oneOfThese.map((name) => ({ required: [name] })) }),
  };
}

/** Of a body, a default is told in words: `openapi-typescript` makes a field with one a field that has to be sent. */
function withDefaultInWords({ default: value, ...schema }: JsonSchema): JsonSchema {
  if (value === undefined) return schema;
  return { ...schema, description: `${schema.description ?? ''} \`${String(value)}\` where it is absent.`.trim() };
}

function byField(rules: readonly ValidationMetadata[]): Map<string, ValidationMetadata[]> {
  const groups = new Map<string, ValidationMetadata[]>();
  for (const rule of rules) groups.set(rule.propertyName, [...(groups.get(rule.propertyName) ?? []), rule]);
  return groups;
}

function fieldOf(dto: Dto, name: string, rules: readonly ValidationMetadata[]): DtoField {
  const conditions = rules.filter(isCondition);
  const own = rules.filter((rule) => !isCondition(rule));
  const whole = merge(own.filter(({ each }) => !each));
  const items = merge(own.filter(({ each }) => each));
  const about = apiDescriptionOf(dto.prototype as object, name);
  const schema = {
    ...whole,
    ...(Object.keys(items).length > 0 && { type: 'array', items }),
    ...(about && { description: about.words }),
    ...(about?.default !== undefined && { default: about.default }),
  };
  return {
    name,
    schema: conditions.length > 0 ? orNull(schema) : schema,
    required: !conditions.some(({ name: rule }) => rule === 'isOptional') && !dto.oneOfThese?.includes(name),
  };
}

const isCondition = ({ type }: ValidationMetadata): boolean => type === 'conditionalValidation';

const merge = (rules: readonly ValidationMetadata[]): JsonSchema =>
  Object.assign({}, ...rules.map((rule) => schemaOfRule(rule)));

/** A rule without a schema stops the API from starting. */
function schemaOfRule({ name, type, constraints }: ValidationMetadata): JsonSchema {
  const rule = RULE_SCHEMAS[name ?? type];
  if (!rule) throw new Error(`The validation rule ${name ?? type} has no words in the OpenAPI document`);
  return rule(...((constraints ?? []) as never[]));
}

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type !== 'string') return schema;
  return { ...schema, type: [schema.type, 'null'], ...(schema.enum && { enum: [...schema.enum, null] }) };
}
