/** What kind of refusal it is; the one filter of each wire format knows what that means there. */
export type DomainErrorKind =
  'not_found' | 'invalid' | 'forbidden' | 'conflict' | 'precondition_failed' | 'too_large' | 'unavailable';

export interface FieldError {
  /** As the client wrote it: snake_case, nested with dots. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** A rule of the domain said no. It carries a stable code and a sentence for people; never a row, a statement or a stack. */
export class DomainError extends Error {
  constructor(
    readonly kind: DomainErrorKind,
    readonly code: string,
    sentence: string,
    readonly fieldErrors: readonly FieldError[] = [],
  ) {
    super(sentence);
  }
}

/** Unknown here, or somebody else's: the two are one answer. */
export class NotFound extends DomainError {
  constructor(what: string) {
    super('not_found', `${what}_not_found`, `There is no such ${what.replaceAll('_', ' ')}.`);
  }
}

export class InvalidField extends DomainError {
  constructor(field: string, code: string, sentence: string) {
    super('invalid', 'invalid_request', sentence, [{ field, code, message: sentence }]);
  }
}

/** Several at once, so that nobody mends one only to hear of the next. */
export class InvalidFields extends DomainError {
  constructor(fields: readonly InvalidField[]) {
    const sentence = fields.map(({ message }) => message).join('; ');
    const errors = fields.flatMap(({ fieldErrors }) => fieldErrors);
    super('invalid', 'invalid_request', sentence, errors);
  }
}

export class Forbidden extends DomainError {
  constructor(code: string, sentence: string) {
    super('forbidden', code, sentence);
  }
}

export class Conflict extends DomainError {
  constructor(code: string, sentence: string) {
    super('conflict', code, sentence);
  }
}

/** The record is no longer the one that the client had read. */
export class PreconditionFailed extends DomainError {
  constructor() {
    super('precondition_failed', 'precondition_failed', 'The record has changed since you read it. Read it again.');
  }
}

export class TooLarge extends DomainError {
  constructor(code: string, sentence: string, faults: readonly FieldError[] = []) {
    super('too_large', code, sentence, faults);
  }
}

/** Files are refused so that the database on the same disk can still be written to. */
export class StorageFull extends DomainError {
  constructor() {
    const sentence = 'There is no room for files just now. Nothing was changed; what has no files still works.';
    super('unavailable', 'storage_full', sentence);
  }
}

/** Not now: something that is needed for it does not answer, or has too much to do. `cause` is for the log. */
export class Unavailable extends DomainError {
  constructor(code: string, sentence: string, cause?: unknown) {
    super('unavailable', code, sentence);
    this.cause = cause;
  }
}
