import { TriageService } from '#libs/desk';
import { Injectable } from '@nestjs/common';
import { CreateMessageDto } from '../../rest/messages/dto/create-message.dto.js';
import type { PostedForm } from '../../http/multipart-form.js';
import { FormFields } from '../../pages/form-fields.js';
import type { Me } from '../../sign-in/session.guard.js';
import { Presences } from '../live/presences.js';
import { actingOf, submitForm, validateDto, normalizeLineEndings } from '../form-submission.js';
import type { PageResponse } from '../../pages/page-response.js';
import { MessageWithAttachmentsService } from './message-with-attachments.service.js';
import { ConsoleInboxService } from './inbox.service.js';
import { type InboxQuery, inboxPath, ticketPath } from './inbox-query.js';

/** What was written below a conversation is sent, and the page goes on as its writer wants. */
@Injectable()
export class ConsoleComposerService {
  constructor(
    private readonly messagesWithAttachments: MessageWithAttachmentsService,
    private readonly triage: TriageService,
    private readonly presences: Presences,
    private readonly pages: ConsoleInboxService,
  ) {}

  // oxlint-disable-next-line max-params
  post(me: Me, number: number, back: InboxQuery, posted: PostedForm): Promise<PageResponse> {
    const form = new FormFields(posted.body());
    const body = normalizeLineEndings(form.text('body'));
    const note = form.text('kind') === 'note';
    return submitForm(
      async () => {
        const dto = await validateDto(CreateMessageDto, { body, note });
        const whole = await this.messagesWithAttachments.postMessage(actingOf(me), number, {
          wanted: dto.toInput(),
          posted,
        });
        if (whole.text('close') === 'yes') await this.triage.setState(actingOf(me), number, 'closed');
        await this.presences.stopReplying({ ...me, ticket: number });
        return { redirect: nextPath(whole, number, back), notice: { tone: 'good', text: sentNotice(note) } };
      },
      (refused) => this.pages.ticketWithErrors(me, number, back, { ...refused, body, note }),
    );
  }
}

const sentNotice = (note: boolean): string => (note ? 'Note added.' : 'Reply sent.');

function nextPath(form: FormFields, number: number, back: InboxQuery): string {
  const next = Number(form.text('next'));
  const after = form.text('after');
  if (after === 'back' || (after === 'next' && !(next > 0))) return inboxPath(back);
  return ticketPath(after === 'next' ? next : number, back);
}
