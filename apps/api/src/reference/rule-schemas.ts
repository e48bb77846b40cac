import { type JsonSchema, ref } from '#libs/payloads';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';
import { ASSIGNEE, CURSOR, EMAIL, EMAIL_OR_ID, HOST_NAME, HTTPS_ADDRESS, LINE, TIME } from '../edge/field-patterns.js';
import type { Dto } from '../edge/route-dtos.js';
import { WEBHOOK_ADDRESS, WEBHOOK_SECRET } from '../edge/webhook-patterns.js';

type RuleSchema = (...constraints: never[]) => JsonSchema;

/** No text may hold one: PostgreSQL cannot keep it. */
export const WITHOUT_NUL = String.raw`^[^\u0000]*$`;

/** What generators call the class of a body. */
export const dtoName = (dto: Dto): string => dto.name.replace(/Dto$/, 'Input');

/** Validation rules as JSON Schema, so that document and code cannot differ. */
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

/** A rule without a schema stops the API from starting. */
export function schemaOfRule({ name, type, constraints }: ValidationMetadata): JsonSchema {
  const rule = RULE_SCHEMAS[name ?? type];
  if (!rule) throw new Error(`The validation rule ${name ?? type} has no words in the OpenAPI document`);
  return rule(...((constraints ?? []) as never[]));
}
