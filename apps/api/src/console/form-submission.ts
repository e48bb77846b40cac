import type { RequestContext } from '#libs/desk';
import { type FieldError, DomainError } from '#libs/entities';
import type { Type } from '@nestjs/common';
import { toHttpProblem } from '../http/error-mapping.js';
import { validationPipe } from '../http/validation.pipe.js';
import type { Me } from '../sign-in/session.guard.js';
import type { PageResponse, PageContent } from '../pages/page-response.js';

/** People at the console act for themselves, not through an application, with all rights of their role. */
export const actingOf = ({ accountId, agentId, role, requestId }: Me): RequestContext => ({
  accountId,
  agentId,
  role,
  requestId,
  applicationId: null,
});

const pipe = validationPipe();

/** Validates a form by the DTO of the API, so that both have the same rules. */
export const validateDto = <T>(dto: Type<T>, values: object): Promise<T> =>
  pipe.transform(values, { type: 'body', metatype: dto }) as Promise<T>;

/** Why a form was refused: the message above it, and those beside its fields. */
export interface FormErrors {
  readonly formError: string | null;
  readonly faults: readonly FieldError[];
}

export const NO_FORM_ERRORS: FormErrors = { formError: null, faults: [] };

/** Runs `work`. If a rule refuses it, the form is shown again with the reason and with what was typed. */
export async function submitForm(
  work: () => Promise<PageResponse>,
  again: (refused: FormErrors) => Promise<PageContent> | PageContent,
): Promise<PageResponse> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const view = await again({ formError: error.message, faults: error.fieldErrors });
    return { ...view, status: toHttpProblem(error).status };
  }
}

/** Browsers send every line end as CRLF. */
export const normalizeLineEndings = (text: string): string => text.replaceAll('\r\n', '\n');
