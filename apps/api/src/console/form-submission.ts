import type { Acting } from '#libs/desk';
import { type FieldFault, Refusal } from '#libs/entities';
import type { Type } from '@nestjs/common';
import { faultOf } from '../http/faults.js';
import { validationPipe } from '../http/validation.pipe.js';
import type { Me } from '../sign-in/session.guard.js';
import type { PageAnswer, View } from '../pages/page.js';

/** Somebody at the console acts for themselves: through no application, and with all that their role allows. */
export const actingOf = ({ accountId, agentId, role, requestId }: Me): Acting => ({
  accountId,
  agentId,
  role,
  requestId,
  applicationId: null,
});

const pipe = validationPipe();

/** The same rules as for the API, so what a form may hold is said once. */
export const checked = <T>(dto: Type<T>, values: object): Promise<T> =>
  pipe.transform(values, { type: 'body', metatype: dto }) as Promise<T>;

/** Why a form was not accepted: what to say above it, and beside which fields. */
export interface Refused {
  readonly refused: string | null;
  readonly faults: readonly FieldFault[];
}

export const ACCEPTED: Refused = { refused: null, faults: [] };

/** Does it; where a rule refuses, shows the form again with what was typed and the reason. */
export async function attempt(
  work: () => Promise<PageAnswer>,
  again: (refused: Refused) => Promise<View> | View,
): Promise<PageAnswer> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const view = await again({ refused: error.message, faults: error.faults });
    return { ...view, status: faultOf(error).status };
  }
}

/** Line ends as people mean them: browsers send CRLF whatever was typed. */
export const typedText = (text: string): string => text.replaceAll('\r\n', '\n');
