import type { JsonSchema } from '#libs/payloads';
import type { Dto } from '../edge/route-dtos.js';
import { apiDescriptionOf } from '../edge/api-description.js';
import { refusesNull } from '../edge/field-decorators.js';
import { getMetadataStorage } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';
import { dtoName, schemaOfRule } from './rule-schemas.js';

export interface DtoField {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

export function dtoFields(dto: Dto): DtoField[] {
  const rules = getMetadataStorage().getTargetValidationMetadatas(dto, '', false, false);
  return [...byField(rules)].map(([name, own]) => fieldOf(dto, name, own));
}

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
    ...oneOfThese(dto),
  };
}

function oneOfThese({ oneOfThese: these }: Dto): JsonSchema {
  if (!these) return {};
  const ways = these.names.map((name) => ({ required: [name] }));
  return these.excluding ? { oneOf: ways } : { anyOf: ways };
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
