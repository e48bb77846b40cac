import { type FieldError, DomainError } from '#libs/entities';
import { ValidationPipe } from '@nestjs/common';
import type { ValidationError } from 'class-validator';

/** Every fault at once, each by the name the client used. Unknown fields are left out, not refused: clients may be newer or older than we. */
export const validationPipe = (): ValidationPipe =>
  new ValidationPipe({
    transform: true,
    whitelist: true,
    forbidUnknownValues: false,
    stopAtFirstError: true,
    exceptionFactory: (errors) =>
      new DomainError(
        'invalid',
        'invalid_request',
        'Some fields are not as they must be.',
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

/** A rule may name its own code through the decorator's `context`; or several, by the value that broke it. */
function codeOf(error: ValidationError, rule: string): string {
  const own = (error.contexts?.[rule] as { code?: string | ((value: unknown) => string) } | undefined)?.code;
  if (typeof own === 'function') return own(error.value);
  return own ?? rule.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
