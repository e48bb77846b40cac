/** What kind of refusal it is; the one filter of each wire format knows what that means there. */
export type RefusalKind =
  'not_found' | 'invalid' | 'forbidden' | 'conflict' | 'precondition_failed' | 'too_large' | 'unavailable';

export interface FieldFault {
  /** As the client wrote it: snake_case, nested with dots. */
  readonly field: string;
  readonly code: string;
  readonly message: string;
}

/** A rule of the domain said no. It carries a stable code and a sentence for people; never a row, a statement or a stack. */
export class Refusal extends Error {
  constructor(
    readonly kind: RefusalKind,
    readonly code: string,
    sentence: string,
    readonly faults: readonly FieldFault[] = [],
  ) {
    super(sentence);
  }
}

/** Unknown here, or somebody else's: the two are one answer. */
export class NotFound extends Refusal {
  constructor(what: string) {
    super('not_found', `${what}_not_found`, `There is no such ${what.replaceAll('_', ' ')}.`);
  }
}

export class InvalidField extends Refusal {
  constructor(field: string, code: string, sentence: string) {
    super('invalid', 'invalid_request', sentence, [{ field, code, message: sentence }]);
  }
}

/** Several at once, so that nobody mends one only to hear of the next. */
export class InvalidFields extends Refusal {
  constructor(fields: readonly InvalidField[]) {
    const sentence = fields.map(({ message }) => message).join('; ');
    super(
      'invalid',
      'invalid_request',
      sentence,
      fields.flatMap(({ faults }) => faults),
    );
  }
}

export class Forbidden extends Refusal {
  constructor(code: string, sentence: string) {
    super('forbidden', code, sentence);
  }
}

export class Conflict extends Refusal {
  constructor(code: string, sentence: string) {
    super('conflict', code, sentence);
  }
}

/** The record is no longer the one that the client had read. */
export class PreconditionFailed extends Refusal {
  constructor() {
    super('precondition_failed', 'precondition_failed', 'The record has changed since you read it. Read it again.');
  }
}

export class TooLarge extends Refusal {
  constructor(code: string, sentence: string, faults: readonly FieldFault[] = []) {
    super('too_large', code, sentence, faults);
  }
}

/** Not now: something outside that is needed for it does not answer. `cause` is for the log. */
export class Unavailable extends Refusal {
  constructor(code: string, sentence: string, cause: unknown) {
    super('unavailable', code, sentence);
    this.cause = cause;
  }
}
