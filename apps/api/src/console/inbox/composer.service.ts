import { TriageService } from '#libs/desk';
import { Injectable } from '@nestjs/common';
import { CreateMessageDto } from '../../rest/messages/dto/create-message.dto.js';
import type { PostedForm } from '../../http/form-parts.js';
import { Form } from '../../pages/form.js';
import type { Me } from '../../sign-in/session.guard.js';
import { Presences } from '../live/presences.js';
import { actingOf, attempt, checked, typedText } from '../forms.js';
import type { PageAnswer } from '../../pages/page.js';
import { Enclosures } from './enclosures.js';
import { InboxPages } from './inbox.pages.js';
import { type InboxQuery, listPath, ticketPath } from './inbox-query.js';

/** What was written below a conversation is sent, and the page goes on as its writer wants. */
@Injectable()
export class ComposerFlow {
  constructor(
    private readonly enclosures: Enclosures,
    private readonly triage: TriageService,
    private readonly presences: Presences,
    private readonly pages: InboxPages,
  ) {}

  // oxlint-disable-next-line max-params
  post(me: Me, number: number, back: InboxQuery, posted: PostedForm): Promise<PageAnswer> {
    const form = new Form(posted.body());
    const body = typedText(form.text('body'));
    const note = form.text('kind') === 'note';
    return attempt(
      async () => {
        const dto = await checked(CreateMessageDto, { body, note });
        const whole = await this.enclosures.post(actingOf(me), number, { wanted: dto.wanted(), posted });
        if (whole.text('close') === 'yes') await this.triage.setState(actingOf(me), number, 'closed');
        await this.presences.stopReplying({ ...me, ticket: number });
        return { redirect: afterwards(whole, number, back), notice: { tone: 'good', text: saidOf(note) } };
      },
      (refused) => this.pages.ticketAgain(me, number, back, { ...refused, body, note }),
    );
  }
}

const saidOf = (note: boolean): string => (note ? 'Note added.' : 'Reply sent.');

function afterwards(form: Form, number: number, back: InboxQuery): string {
  const next = Number(form.text('next'));
  const after = form.text('after');
  if (after === 'back' || (after === 'next' && !(next > 0))) return listPath(back);
  return ticketPath(after === 'next' ? next : number, back);
}
