import { type FieldError, DomainError } from '#libs/entities';
import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';
import { notAnObject } from './invalid-values.js';

/** A body that may also be the bare list of this field. */
interface ListDto {
  readonly bareList?: string;
}

class BodyAndQueryPipe extends ValidationPipe {
  override transform(value: unknown, metadata: ArgumentMetadata): Promise<unknown> {
    if (!Array.isArray(value) || metadata.type !== 'body') return super.transform(value, metadata);
    const { bareList } = (metadata.metatype ?? {}) as ListDto;
    if (bareList === undefined) throw notAnObject();
    return super.transform({ [bareList]: value }, metadata);
  }

  /** What stands in a path is left as it is: Nest would read `0x10` as the number 16. */
  protected override transformPrimitive(value: unknown): unknown {
    return value;
  }
}

/** Reports every fault at once, under the client's field name. Unknown fields are dropped: a client may be newer or older. */
export const validationPipe = (): ValidationPipe =>
  new BodyAndQueryPipe({
    transform: true,
    whitelist: true,
    forbidUnknownValues: false,
    stopAtFirstError: true,
    exceptionFactory: (errors) =>
      new DomainError(
        'invalid',
        'invalid_request',
        'Some fields are not valid.',
        errors.flatMap((error) => fieldErrorsOf(error)),
      ),
  });

function fieldErrorsOf(error: ValidationError, prefix = ''): FieldError[] {
  const field = `${prefix}${error.property}`;
  const own = Object.entries(error.constraints ?? {}).map(([rule, message]) =>
    error.value === undefined
      ? { field, code: 'required', message: `${error.property} is required` }
      : { field, code: codeOf(error, rule), message },
  );
  return [...own, ...(error.children ?? []).flatMap((child) => fieldErrorsOf(child, `${field}.`))];
}

/** A rule can set its code in the decorator's `context`, as text or as a function of the value. */
function codeOf(error: ValidationError, rule: string): string {
  const own = (error.contexts?.[rule] as { code?: string | ((value: unknown) => string) } | undefined)?.code;
  if (typeof own === 'function') return own(error.value);
  return own ?? CODES[rule]!;
}

/** What each rule is called where it is broken: a word for those who read it, not the name of a function. */
const CODES: Readonly<Record<string, string>> = {
  isString: 'not_a_text',
  isNotEmpty: 'empty',
  maxLength: 'too_long',
  isEmail: 'not_an_email',
  isIn: 'not_a_choice',
  isInt: 'not_an_integer',
  min: 'too_small',
  max: 'too_large',
  isBoolean: 'not_a_boolean',
  isArray: 'not_a_list',
  arrayMaxSize: 'too_many',
  arrayNotEmpty: 'empty',
  arrayUnique: 'repeated',
  isWebhookSecret: 'not_a_secret',
  isPerson: 'not_an_email_or_id',
  isTime: 'not_a_time',
  isCustom: 'not_custom_fields',
  isInstance: 'not_a_person',
  nestedValidation: 'not_a_person',
};
