import type { RequestContext } from '#libs/desk';
import { type FieldError, DomainError } from '#libs/entities';
import type { Type } from '@nestjs/common';
import { toHttpProblem } from '../http/error-mapping.js';
import { validationPipe } from '../http/validation.pipe.js';
import type { Me } from '../sign-in/session.guard.js';
import type { PageResponse, PageContent } from '../pages/page-response.js';

/** Somebody at the console acts for themselves: through no application, and with all that their role allows. */
export const actingOf = ({ accountId, agentId, role, requestId }: Me): RequestContext => ({
  accountId,
  agentId,
  role,
  requestId,
  applicationId: null,
});

const pipe = validationPipe();

/** The same rules as for the API, so what a form may hold is said once. */
export const validateDto = <T>(dto: Type<T>, values: object): Promise<T> =>
  pipe.transform(values, { type: 'body', metatype: dto }) as Promise<T>;

/** Why a form was not accepted: what to say above it, and beside which fields. */
export interface FormErrors {
  readonly formError: string | null;
  readonly faults: readonly FieldError[];
}

export const NO_FORM_ERRORS: FormErrors = { formError: null, faults: [] };

/** Does it; where a rule refuses, shows the form again with what was typed and the reason. */
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

/** Line ends as people mean them: browsers send CRLF whatever was typed. */
export const normalizeLineEndings = (text: string): string => text.replaceAll('\r\n', '\n');
