import { type JsonSchema, SCHEMAS, ref } from '#libs/payloads';
import { getMetadataStorage } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';
import { apiDescriptionOf } from '../edge/api-operation.decorator.js';
import { refusesNull } from '../edge/field-decorators.js';
import {
  ASSIGNEE,
  CURSOR,
  EMAIL,
  EMAIL_OR_ID,
  HOST_NAME,
  HTTPS_ADDRESS,
  LINE,
  TIME,
  WEBHOOK_ADDRESS,
  WEBHOOK_SECRET,
} from '../edge/field-patterns.js';
import type { Dto } from '../edge/nest-internals.js';

/** The named schemas of the document. Code generators use these names. */
export class NamedSchemas {
  readonly all: Record<string, JsonSchema> = { ...SCHEMAS };

  /** Adds a schema and returns a reference to it. Throws if the name has a different schema. */
  add(name: string, schema: JsonSchema): JsonSchema {
    const existing = this.all[name];
    if (existing && JSON.stringify(existing) !== JSON.stringify(schema))
      throw new Error(`Two schemas of the OpenAPI document are called ${name}`);
    this.all[name] = schema;
    return ref(name);
  }
}

/** The name that code generators give to the class of a body. */
export const dtoName = (dto: Dto): string => dto.name.replace(/Dto$/, 'Input');

export interface DtoField {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

export function dtoFields(dto: Dto): DtoField[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  return [...byField(rules)].map(([name, own]) => fieldOf(dto, name, own));
}

/** The schemas of a DTO and of the DTOs nested in it, by name. */
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
    ...oneOfThese(dto),
  };
}

function oneOfThese({ oneOfThese: these }: Dto): JsonSchema {
  if (!these) return {};
  const ways = these.names.map((name) => ({ required: [name] }));
  return these.excluding ? { oneOf: ways } : { anyOf: ways };
}

/** Moves the default into the description: `openapi-typescript` makes a field with a default required. */
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
    schema: takesNull(dto, name, conditions) ? orNull(schema) : schema,
    required: !conditions.some(mayBeAbsent) && !dto.oneOfThese?.names.includes(name),
  };
}

function takesNull({ oneOfThese: these }: Dto, name: string, conditions: readonly ValidationMetadata[]): boolean {
  const excludesOthers = these?.excluding === true && these.names.includes(name);
  return conditions.length > 0 && !excludesOthers && !conditions.some((one) => refusesNull(conditionOf(one)));
}

const mayBeAbsent = (condition: ValidationMetadata): boolean =>
  condition.name === 'isOptional' || refusesNull(conditionOf(condition));

const conditionOf = ({ constraints }: ValidationMetadata): unknown => constraints?.[0] as unknown;

const isCondition = ({ type }: ValidationMetadata): boolean => type === 'conditionalValidation';

const merge = (rules: readonly ValidationMetadata[]): JsonSchema =>
  Object.assign({}, ...rules.map((rule) => schemaOfRule(rule)));

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type !== 'string') return schema;
  return { ...schema, type: [schema.type, 'null'], ...(schema.enum && { enum: [...schema.enum, null] }) };
}

/** PostgreSQL cannot store NUL in text. */
export const WITHOUT_NUL = String.raw`^[^\u0000]*$`;

type RuleSchema = (...constraints: never[]) => JsonSchema;

/** JSON Schema of each validation rule, so that the document and the code agree. */
const RULE_SCHEMAS: Readonly<Record<string, RuleSchema>> = {
  isString: () => ({ type: 'string', pattern: WITHOUT_NUL }),
  isNotEmpty: () => ({ minLength: 1 }),
  maxLength: (maxLength: number) => ({ maxLength }),
  isEmail: () => ({ type: 'string', format: 'email', pattern: EMAIL.source }),
  isEmailOrId: () => ({ type: 'string', pattern: EMAIL_OR_ID.source }),
  isAssignee: () => ({ type: 'string', pattern: ASSIGNEE.source }),
  isHostName: () => ({ type: 'string', pattern: HOST_NAME.source, examples: ['imap.example.com'] }),
  isLine: () => ({ type: 'string', pattern: LINE.source }),
  isHttpsAddress: () => ({
    type: 'string',
    pattern: HTTPS_ADDRESS.source,
    examples: ['https://login.example.com/token'],
  }),
  isIn: (values: readonly string[]) => ({ type: 'string', enum: values }),
  isInt: () => ({ type: 'integer' }),
  min: (minimum: number) => ({ minimum }),
  max: (maximum: number) => ({ maximum }),
  isBoolean: () => ({ type: 'boolean' }),
  isArray: () => ({ type: 'array' }),
  arrayNotEmpty: () => ({ minItems: 1 }),
  arrayMaxSize: (maxItems: number) => ({ maxItems }),
  arrayUnique: () => ({ uniqueItems: true }),
  isTime: () => ({ type: 'string', pattern: TIME.source, examples: ['2026-01-31T12:00:00Z', '2026-01-31'] }),
  isCursor: () => ({ type: 'string', pattern: CURSOR.source }),
  isWebhookSecret: () => ({ type: 'string', pattern: WEBHOOK_SECRET }),
  isWebhookAddress: () => ({
    type: 'string',
    pattern: WEBHOOK_ADDRESS,
    maxLength: 2048,
    examples: ['https://receiver.example/hooks'],
  }),
  isCustom: (maxProperties: number) => ({
    type: 'object',
    maxProperties,
    propertyNames: { pattern: WITHOUT_NUL },
    additionalProperties: { type: ['string', 'number', 'boolean', 'null'], pattern: WITHOUT_NUL },
  }),
  isInstance: (type: Dto) => ({
    oneOf: [{ type: 'string', format: 'email', pattern: EMAIL.source, maxLength: 254 }, ref(dtoName(type))],
  }),
  nestedValidation: () => ({}),
};

/** The API does not start when a rule has no schema. */
function schemaOfRule({ name, type, constraints }: ValidationMetadata): JsonSchema {
  const rule = RULE_SCHEMAS[name ?? type];
  if (!rule) throw new Error(`The validation rule ${name ?? type} needs a schema in RULE_SCHEMAS`);
  return rule(...((constraints ?? []) as never[]));
}
