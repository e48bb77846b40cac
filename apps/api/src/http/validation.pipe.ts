import { type FieldError, DomainError } from '#libs/entities';
import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';

class BodyAndQueryPipe extends ValidationPipe {
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
  const own = Object.entries(error.constraints ?? {}).map(([rule, message]) => ({
    field,
    code: codeOf(error, rule),
    message,
  }));
  return [...own, ...(error.children ?? []).flatMap((child) => fieldErrorsOf(child, `${field}.`))];
}

/** A rule can set its code in the decorator's `context`, as text or as a function of the value. */
function codeOf(error: ValidationError, rule: string): string {
  const own = (error.contexts?.[rule] as { code?: string | ((value: unknown) => string) } | undefined)?.code;
  if (typeof own === 'function') return own(error.value);
  return own ?? rule.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
