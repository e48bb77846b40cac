import { DomainError } from '#libs/entities';
import type { Type } from '@nestjs/common';
import { toHttpProblem } from '../edge/to-http-problem.js';
import { validationPipe } from '../edge/validation.pipe.js';
import { type FormState, type PageContent, type PageResponse, redirectWithNotice } from '../ui/page-response.js';

const pipe = validationPipe();

/** Validates a form by the DTO of the API, so that both share their rules. */
export const validateDto = <T>(dto: Type<T>, values: object): Promise<T> =>
  pipe.transform(values, { type: 'body', metatype: dto }) as Promise<T>;

/** Renders the page of the form again. Its own form state takes precedence. */
type Again = (refused: FormState) => Promise<PageContent> | PageContent;

/** Runs `work`. After a domain error, shows the form again with the reason and the typed values. */
export async function submitForm(
  { again, typed = {} }: { again: Again; typed?: FormState['values'] },
  work: () => Promise<PageResponse>,
): Promise<PageResponse> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    const refused = { values: typed, error: error.message, faults: error.fieldErrors };
    const page = await again(refused);
    return { ...page, status: toHttpProblem(error).status, form: { ...refused, ...page.form } };
  }
}

/** Runs `work`, which returns the notice. The expected rejection is shown as a notice too. */
export async function redirectOrExplain(
  path: string,
  rejection: string,
  work: () => Promise<string>,
): Promise<PageResponse> {
  try {
    return redirectWithNotice(path, await work());
  } catch (error) {
    if (error instanceof DomainError && error.code === rejection) return redirectWithNotice(path, error.message, 'bad');
    throw error;
  }
}
