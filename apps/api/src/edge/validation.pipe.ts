import { type FieldError, DomainError } from '#libs/entities';
import { type ArgumentMetadata, ValidationPipe } from '@nestjs/common';
import { type ValidationError, getMetadataStorage } from 'class-validator';
import { notAnObject } from './invalid-values.js';
import { RULES } from './validation-rules.js';

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
    // The rules of a field are found through the class of its object.
    validationError: { target: true },
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
  const own = error.constraints ? [fieldErrorOf(error, field)] : [];
  return [...own, ...(error.children ?? []).flatMap((child) => fieldErrorsOf(child, `${field}.`))];
}

/** Of several broken rules, the one that says most: that it is no text rather than that it is too long. */
function fieldErrorOf(error: ValidationError, field: string): FieldError {
  const broken = error.constraints ?? {};
  const rule = Object.keys(RULES).find((name) => name in broken) ?? Object.keys(broken)[0]!;
  const message = sentenceOf(field, rule, error) ?? `${field} ${broken[rule]}`;
  return missing(field, error.value) ?? { field, code: codeOf(error, rule), message };
}

/** Null is missing, too, where it is not one of the values. */
function missing(field: string, value: unknown): FieldError | undefined {
  if (value === undefined) return { field, code: 'required', message: `${field} is required` };
  return value === null ? { field, code: 'required', message: `${field} must not be null` } : undefined;
}

/** A rule can set its code in the decorator's `context`, as text or as a function of the value. */
function codeOf(error: ValidationError, rule: string): string {
  const own = (error.contexts?.[rule] as { code?: string | ((value: unknown) => string) } | undefined)?.code;
  if (typeof own === 'function') return own(error.value);
  return own ?? RULES[rule]?.code ?? 'malformed';
}

/** With what the decorator asks for. A rule without words of ours has a message, which goes on after the field. */
function sentenceOf(field: string, rule: string, { target, property }: ValidationError): string | undefined {
  const words = RULES[rule];
  if (!words?.must) return undefined;
  const rules = getMetadataStorage().getTargetValidationMetadatas(target!.constructor, '', false, false);
  const broken = rules.find(({ propertyName, name, type }) => propertyName === property && (name ?? type) === rule);
  const must = words.must(...((broken?.constraints ?? []) as never[]));
  return `${broken?.each ? 'each of ' : ''}${field} ${must}`;
}
