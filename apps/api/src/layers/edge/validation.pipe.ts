import type { FieldError } from '#libs/entities';
import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import { type ValidationError, getMetadataStorage } from 'class-validator';
import { invalidFields, notAnObject } from './invalid-values.js';

class BodyAndQueryPipe extends ValidationPipe {
  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (!Array.isArray(value) || metadata.type !== 'body') return super.transform(value, metadata);
    // The field that a client may send alone, as a bare list.
    const { bareList } = (metadata.metatype ?? {}) as { bareList?: string };
    if (bareList === undefined) throw notAnObject();
    return super.transform({ [bareList]: value }, metadata);
  }

  /** Nest would convert `0x10` in a path to 16. */
  protected override transformPrimitive(value: unknown): unknown {
    return value;
  }
}

/** Drops unknown fields, because a client may be newer or older. */
export const validationPipe = (): ValidationPipe =>
  new BodyAndQueryPipe({
    transform: true,
    whitelist: true,
    forbidUnknownValues: false,
    // `messageOf` needs the class of the object.
    validationError: { target: true },
    exceptionFactory: (errors) => invalidFields(errors.flatMap((error) => fieldErrorsOf(error))),
  });

function fieldErrorsOf(error: ValidationError, prefix = ''): FieldError[] {
  const field = `${prefix}${error.property}`;
  const own = error.constraints ? [fieldErrorOf(error, field)] : [];
  return [...own, ...(error.children ?? []).flatMap((child) => fieldErrorsOf(child, `${field}.`))];
}

function fieldErrorOf(error: ValidationError, field: string): FieldError {
  if (error.value === undefined) return { field, code: 'required', message: `${field} is required` };
  if (error.value === null) return { field, code: 'required', message: `${field} must not be null` };
  const broken = error.constraints ?? {};
  const rule = Object.keys(RULES).find((name) => name in broken) ?? Object.keys(broken)[0]!;
  const message = messageOf(field, rule, error) ?? `${field} ${broken[rule]}`;
  return { field, code: codeOf(error, rule), message };
}

/** A decorator can set the code in its `context`. */
function codeOf(error: ValidationError, rule: string): string {
  const own = (error.contexts?.[rule] as { code?: string | ((value: unknown) => string) } | undefined)?.code;
  if (typeof own === 'function') return own(error.value);
  return own ?? RULES[rule]?.code ?? 'malformed';
}

function messageOf(field: string, rule: string, { target, property }: ValidationError): string | undefined {
  const known = RULES[rule];
  if (!known?.must) return undefined;
  const rules = getMetadataStorage().getTargetValidationMetadatas(target!.constructor, '', false, false);
  const broken = rules.find(({ propertyName, name, type }) => propertyName === property && (name ?? type) === rule);
  const must = known.must(...((broken?.constraints ?? []) as never[]));
  return `${broken?.each ? 'each of ' : ''}${field} ${must}`;
}

/** `must` is absent if the rule writes its own message. */
type RuleText = { readonly code: string; readonly must?: (...constraints: never[]) => string };

const counted = (count: number, thing: string): string =>
  `${count.toLocaleString('en')} ${thing}${count === 1 ? '' : 's'}`;

const NOT_A_PERSON: RuleText = {
  code: 'not_a_person',
  must: () => 'must be an email address, or an object with an email',
};

/** The most helpful rules come first: the type before the size. */
const RULES: Readonly<Record<string, RuleText>> = {
  isString: { code: 'not_a_text', must: () => 'must be text' },
  isInt: { code: 'not_an_integer', must: () => 'must be a whole number' },
  isBoolean: { code: 'not_a_boolean', must: () => 'must be true or false' },
  isArray: { code: 'not_a_list', must: () => 'must be a list' },
  isInstance: NOT_A_PERSON,
  nestedValidation: NOT_A_PERSON,
  isCustom: {
    code: 'not_custom_fields',
    must: (most: number) => `must be an object of at most ${most} texts, numbers, booleans or nulls, and at most 8 KiB`,
  },
  isIn: { code: 'not_a_choice', must: (values: readonly string[]) => `must be one of ${values.join(', ')}` },
  isEmail: { code: 'not_an_email', must: () => 'must be an email address' },
  isEmailOrId: { code: 'not_an_email_or_id', must: () => 'must be an email address or an ID' },
  isAssignee: { code: 'not_an_email_or_id', must: () => 'must be an email address, an ID or unassigned' },
  isHostName: { code: 'not_a_host', must: () => 'must be a host name or an IP address' },
  isLine: { code: 'not_a_line', must: () => 'must be text without line breaks' },
  isHttpsAddress: { code: 'not_an_https_address', must: () => 'must be a URL that starts with https://' },
  isTime: {
    code: 'not_a_time',
    must: () => 'must be a valid time in ISO 8601 or RFC 822, not before 1970, such as 2026-01-31T12:00:00Z',
  },
  isId: { code: 'not_an_id', must: () => 'must be an ID' },
  isLastStatus: { code: 'not_a_status', must: () => 'must be a status such as 404, a class such as 5xx, or none' },
  isCursor: { code: 'invalid_cursor', must: () => 'must be a cursor returned by this endpoint' },
  isNotEmpty: { code: 'empty', must: () => 'must not be empty' },
  maxLength: { code: 'too_long', must: (most: number) => `must have at most ${counted(most, 'character')}` },
  min: { code: 'too_small', must: (least: number) => `must be at least ${least}` },
  max: { code: 'too_large', must: (most: number) => `must be at most ${most}` },
  arrayNotEmpty: { code: 'empty', must: () => 'must have at least one value' },
  arrayMaxSize: { code: 'too_many', must: (most: number) => `must have at most ${counted(most, 'value')}` },
  arrayUnique: { code: 'repeated', must: () => 'must not contain the same value twice' },
};
