import { isUuid } from '#libs/database';
import { type Draft, MergedTicket, NotFound, type Ticket } from '#libs/entities';
import { typedAddresses } from '#libs/mailboxes';
import { distinctAddresses } from '#libs/mail';
import {
  type DraftBase,
  MAX_CC,
  type SeenThread,
  type Sending,
  type WrittenDraft,
  parseSeen,
  AttachmentsService,
  DraftsService,
  NewerDraft,
  type HeldSource,
  type NewTicket,
  type RequestContext,
  ScheduledRepliesService,
  type Upload,
  UnseenMessages,
  type WaitingReply,
} from '#libs/tickets';
import { Injectable } from '@nestjs/common';
import { EMAIL } from '../../layers/edge/field-patterns.js';
import { CreateMessageDto } from '../../messages/index.js';
import { actingOf } from '../../layers/shell/acting.js';
import { validateDto } from '../../layers/shell/form-submission.js';
import { refuseVariables } from '../saved-replies/variables.js';
import type { Me } from '../../layers/sign-in/me.decorator.js';
import { normalizeLineEndings, FormFields } from '../../layers/ui/form-fields.js';
import type { FormState } from '../../layers/ui/page-response.js';
import type { PostedForm } from '../../layers/edge/multipart-form.js';
import { sendTimeIn } from '../inbox/snooze-times.js';

const MAX_WRITER_CHARACTERS = 64;
const AFTER_SENDING = new Set(['stay', 'next', 'back']);

export function typedIn(form: FormFields): FormState['values'] {
  const { note, body, afterSending: after, cc, removedCc } = draftIn(form);
  const more = typedCc(form).filter((address) => !isAddress(address));
  return {
    body,
    kind: note ? 'note' : 'reply',
    after,
    cc: cc.join('\n'),
    removed_cc: removedCc.join('\n'),
    more_cc: more.join(', '),
    saved_reply: form.text('saved_reply'),
  };
}

export function draftIn(form: FormFields): WrittenDraft {
  const after = form.text('after');
  return {
    note: form.text('kind') === 'note',
    body: normalizeLineEndings(form.text('body')),
    ...chosenCcIn(form),
    afterSending: AFTER_SENDING.has(after) ? after : '',
    savedReplyId: idIn(form, 'saved_reply'),
    customerId: idIn(form, 'customer'),
    ...baseIn(form),
  };
}

const idIn = (form: FormFields, name: string): string | null => (isUuid(form.text(name)) ? form.text(name) : null);

const baseIn = (form: FormFields): DraftBase => ({
  revision: Number(/^\d{1,9}$/.exec(form.text('draft_revision'))?.[0] ?? 0),
  writer: form.text('writer').slice(0, MAX_WRITER_CHARACTERS),
});

/** A note is sent even if new messages arrived, because only agents see it. */
async function messageIn(form: FormFields, timeZone: string) {
  const asDraft = draftIn(form);
  const { note, body } = asDraft;
  if (!note) refuseVariables(body);
  const dto = await validateDto(CreateMessageDto, { body, note, ...(!note && { cc: wantedCcIn(form) }) });
  const draft = { ...baseIn(form), files: form.texts('draft_file').filter((id) => isUuid(id)) };
  const state = form.text('then_state');
  const takes = !note && form.text('take') === 'on';
  const isSet = state === 'closed' || state === 'pending';
  const thenChange: Sending['thenChange'] = isSet || takes ? { ...(isSet && { state }), takes } : null;
  const sendAt = note ? undefined : sendTimeIn(form, timeZone);
  const { savedReplyId, customerId } = note ? { savedReplyId: null, customerId: null } : asDraft;
  const seen = note ? undefined : seenIn(form);
  const sending = { draft, thenChange, savedReplyId, customerId, sendAt, seen, afterSending: asDraft.afterSending };
  return { wanted: { ...dto.toInput(), markdown: true }, asDraft, sending };
}

/** Undefined skips the check for new messages. */
export const seenIn = (form: FormFields): SeenThread | undefined =>
  form.text('seen') === '' ? undefined : parseSeen(form.text('seen'));

const MAX_ADDRESS_CHARACTERS = 254;
const MAX_OFFERED = 2 * MAX_CC;
const MAX_TYPED_CHARACTERS = 16_384;

const isAddress = (text: string): boolean => text.length <= MAX_ADDRESS_CHARACTERS && EMAIL.test(text);

function chosenCcIn(form: FormFields): Pick<WrittenDraft, 'cc' | 'removedCc'> {
  const cc = wantedCcIn(form).filter(isAddress).slice(0, MAX_CC);
  const offered = form.texts('cc_offered').slice(0, MAX_OFFERED).filter(isAddress);
  return { cc, removedCc: offered.filter((address) => !cc.includes(address)) };
}

const wantedCcIn = (form: FormFields): string[] =>
  distinctAddresses([...form.texts('cc').slice(0, MAX_OFFERED), ...typedCc(form)]);

const typedCc = (form: FormFields): string[] => typedAddresses(form.text('more_cc').slice(0, MAX_TYPED_CHARACTERS));

export function offeredCc(
  { ccAddresses }: Ticket,
  draft: Draft | null,
  { cc, removed_cc: removedCc }: FormState['values'],
): { readonly address: string; readonly isChosen: boolean }[] {
  const added = cc === undefined ? (draft?.ccAddresses ?? []) : linesOf(cc);
  const removed = removedCc === undefined ? (draft?.removedCc ?? []) : linesOf(removedCc);
  return distinctAddresses([...ccAddresses, ...added, ...removed]).map((address) => ({
    address,
    isChosen: added.includes(address) || !removed.includes(address),
  }));
}

const linesOf = (text: string): string[] => text.split('\n').filter(Boolean);

@Injectable()
export class MessageWithAttachmentsService {
  constructor(
    private readonly attachments: AttachmentsService,
    private readonly drafts: DraftsService,
    private readonly heldReplies: ScheduledRepliesService,
  ) {}

  /** Saves the message and its files as a draft if a new message arrived or the ticket was deleted or merged. */
  postMessage(me: Me, number: number, posted: PostedForm): Promise<WaitingReply | undefined> {
    const context = actingOf(me);
    return this.attachments.receive(context, posted.uploads(), async (received) => {
      // Fields may follow the files, so the form is only complete now.
      const { wanted, asDraft, sending } = await messageIn(new FormFields(posted.body()), me.timeZone);
      try {
        return await this.heldReplies.post(context, number, wanted, { ...sending, received });
      } catch (error) {
        if (error instanceof UnseenMessages || error instanceof NotFound || error instanceof MergedTicket)
          await this.drafts.save(context, number, { ...asDraft, files: received }).catch(keepNewer);
        throw error;
      }
    });
  }

  createTicket(context: RequestContext, posted: PostedForm, read: () => Promise<[NewTicket, HeldSource | undefined]>) {
    return this.attachments.receive(context, this.filesOf(context, posted), async (received) => {
      const [wanted, held] = await read();
      return this.heldReplies.startTicket(context, wanted, { received, held });
    });
  }

  private async *filesOf(context: RequestContext, posted: PostedForm): AsyncGenerator<Upload> {
    yield* posted.uploads();
    const form = new FormFields(posted.body());
    if (form.text('forward') !== '') yield* this.attachments.copiesOf(context, form.texts('file'));
  }
}

function keepNewer(error: unknown): void {
  if (!(error instanceof NewerDraft)) throw error;
}
