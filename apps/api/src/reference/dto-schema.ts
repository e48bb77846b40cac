import { AUTHENTICATION_TYPES } from '#libs/entities';
import { type JsonSchema, SCHEMAS, json, ref } from '#libs/payloads';
import { apiDescriptionOf } from '../layers/edge/api-operation.decorator.js';
import { type ValidationRule, isNested, refusesNull, rulesOf } from '../layers/edge/field-decorators.js';
import * as patterns from '../layers/edge/field-patterns.js';
import type { Dto } from '../layers/edge/nest-internals.js';

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

export function dtoFields(dto: Dto) {
  const names = new Set(rulesOf(dto).map(({ propertyName }) => propertyName));
  return [...names].map((name) => fieldOf(dto, name));
}

/** The schemas of a DTO and of the DTOs nested in it, by name. */
export function dtoSchemas(dto: Dto): Record<string, JsonSchema> {
  const nested = rulesOf(dto).filter(isNested);
  const schemas = nested.map(({ constraints }) => dtoSchemas(constraints?.[0] as Dto));
  return Object.assign({ [dtoName(dto)]: dtoSchema(dto) }, ...schemas);
}

export function dtoSchema(dto: Dto): JsonSchema {
  const fields = dtoFields(dto);
  return {
    type: 'object',
    properties: Object.fromEntries(fields.map(({ name, schema }) => [name, withDefaultInWords(schema)])),
    required: fields.filter(({ required }) => required).map(({ name }) => name),
    propertyNames: { pattern: WITHOUT_NUL },
    ...oneOfThese(dto),
  };
}

/** In words: code generators do not support `oneOf` of required fields. */
function oneOfThese({ oneOfThese: these }: Dto): JsonSchema {
  if (!these) return {};
  const names = these.names.map((name) => `\`${name}\``).join(' and ');
  return { description: `${these.excluding ? 'Exactly' : 'At least'} one of ${names} is required.` };
}

/** Moves the default into the description: `openapi-typescript` makes a field with a default required. */
function withDefaultInWords({ default: value, ...schema }: JsonSchema): JsonSchema {
  if (value === undefined) return schema;
  return { ...schema, description: `${schema.description ?? ''} Default: \`${String(value)}\`.`.trim() };
}

function fieldOf(dto: Dto, name: string) {
  const rules = rulesOf(dto).filter(({ propertyName }) => propertyName === name);
  const conditions = rules.filter(isCondition);
  const own = rules.filter((rule) => !isCondition(rule));
  const items = schemaOf(own.filter(({ each }) => each));
  const about = apiDescriptionOf(dto.prototype as object, name);
  const schema = {
    ...schemaOf(own.filter(({ each }) => !each)),
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

const isCondition = ({ type }: ValidationRule): boolean => type === 'conditionalValidation';

function takesNull({ oneOfThese: these }: Dto, name: string, conditions: readonly ValidationRule[]): boolean {
  const excludesOthers = these?.excluding === true && these.names.includes(name);
  return conditions.length > 0 && !excludesOthers && !conditions.some(isOptionalNotNull);
}

const mayBeAbsent = (condition: ValidationRule): boolean =>
  condition.name === 'isOptional' || isOptionalNotNull(condition);

const isOptionalNotNull = ({ constraints }: ValidationRule): boolean => refusesNull(constraints?.[0]);

function orNull(schema: JsonSchema): JsonSchema {
  if (typeof schema.type !== 'string') return schema;
  return { ...schema, type: [schema.type, 'null'], ...(schema.enum && { enum: [...schema.enum, null] }) };
}

/** PostgreSQL cannot store NUL in text. */
export const WITHOUT_NUL = String.raw`^[^\u0000]*$`;

const EMAIL: JsonSchema = { type: 'string', format: 'email' };
const ANY_SCALAR = [{ type: 'string', pattern: WITHOUT_NUL }, ...json.scalar.anyOf!.slice(1)];

const BASE64 = '[A-Za-z0-9+/]';
const ENDS = `(?:${BASE64}[AQgw]==)?|(?:${BASE64}{4}){8,20}${BASE64}{2}[AEIMQUYcgkosw048]=`;
/** `webhookSecretFault` validates. */
const WEBHOOK_SECRET = `^whsec_(?:(?:${BASE64}{4}){8,21}${ENDS})$`;

type RuleSchema = (...constraints: never[]) => JsonSchema;

const matching =
  (pattern: string, more: JsonSchema = {}): RuleSchema =>
  () => ({ type: 'string', pattern, ...more });

/** JSON Schema of each validation rule, so that the document and the code agree. */
const RULE_SCHEMAS: Readonly<Record<string, RuleSchema>> = {
  isString: matching(WITHOUT_NUL),
  isNotEmpty: () => ({ minLength: 1 }),
  maxLength: (maxLength: number) => ({ maxLength }),
  isEmail: () => EMAIL,
  isEmailOrId: matching(patterns.COMMON_EMAIL_OR_ID),
  isAssignee: matching(patterns.COMMON_ASSIGNEE),
  isHostName: matching(patterns.HOST_NAME.source, { examples: ['imap.example.com'] }),
  isLine: matching(patterns.LINE.source),
  isHttpsAddress: matching(patterns.HTTPS_ADDRESS.source, { examples: ['https://login.example.com/token'] }),
  isIn: (values: readonly string[]) => ({ type: 'string', enum: values }),
  isInt: () => ({ type: 'integer' }),
  min: (minimum: number) => ({ minimum }),
  max: (maximum: number) => ({ maximum }),
  isBoolean: () => ({ type: 'boolean' }),
  isArray: () => ({ type: 'array' }),
  arrayNotEmpty: () => ({ minItems: 1 }),
  arrayMaxSize: (maxItems: number) => ({ maxItems }),
  arrayUnique: () => ({ uniqueItems: true }),
  isTime: matching('^(?:19[7-9]|[2-9])', { format: 'date-time', examples: ['2026-01-31T12:00:00Z'] }),
  isId: () => ({ type: 'string', format: 'uuid' }),
  isLastStatus: matching(patterns.LAST_STATUS.source),
  isCursor: matching(patterns.CURSOR.source),
  isWebhookSecret: matching(WEBHOOK_SECRET),
  isWebhookAddress: matching(String.raw`^https?://[^@#\s]+$`, {
    format: 'uri',
    maxLength: 2048,
    examples: ['https://receiver.example/hooks'],
  }),
  isCustom: (maxProperties: number) => ({
    type: 'object',
    maxProperties,
    propertyNames: { pattern: WITHOUT_NUL },
    additionalProperties: { anyOf: ANY_SCALAR },
  }),
  isWebhookHeaders: () => ({
    type: 'object',
    maxProperties: 10,
    propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9-]{0,63}$' },
    additionalProperties: { type: 'string', pattern: '^[!-~]([ -~]{0,998}[!-~])?$' },
  }),
  isAuthentication: () => ({
    type: 'object',
    properties: {
      type: json.oneOf(AUTHENTICATION_TYPES, 'The scheme.'),
      token: { type: 'string', minLength: 1, description: 'For `bearer`: the token.' },
      username: { type: 'string', minLength: 1, description: 'For `basic`: the user name.' },
      password: { type: 'string', minLength: 1, description: 'For `basic`: the password.' },
    },
    required: ['type'],
  }),
  isInstance: (type: Dto) => ({ oneOf: [{ ...EMAIL, maxLength: 254 }, ref(dtoName(type))] }),
  nestedValidation: () => ({}),
};

/** The API does not start when a rule has no schema. */
function schemaOf(rules: readonly ValidationRule[]): JsonSchema {
  const schemas = rules.map(({ name, type, constraints }) => {
    const rule = RULE_SCHEMAS[name ?? type];
    if (!rule) throw new Error(`The validation rule ${name ?? type} needs a schema in RULE_SCHEMAS`);
    return rule(...((constraints ?? []) as never[]));
  });
  return Object.assign({}, ...schemas);
}
