import { UNDO_SECONDS } from '#libs/entities';
import { ScheduledRepliesService, UndoSendingService } from '#libs/tickets';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { FormFields } from '../ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../ui/page-response.js';
import { SelectField } from '../ui/parts/fields.js';
import { Form, FormAlert } from '../ui/parts/form.js';
import { Me } from '../sign-in/session.guard.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { actingOf, submitForm } from '../shell/form-submission.js';
import { PageLayout } from '../shell/shell.js';

const PATH = '/settings/replies';

@Controller(PATH)
@ConsolePages({ audience: 'managers', navigation: { group: 'Settings', label: 'Replies', icon: 'leave' } })
export class RepliesController {
  constructor(
    private readonly undoSending: UndoSendingService,
    private readonly replies: ScheduledRepliesService,
  ) {}

  @Get()
  async show(@Me() me: Me): Promise<PageContent> {
    return { view: <RepliesPage seconds={(await this.replies.delayMs(me)) / 1000} /> };
  }

  @Post()
  change(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    return submitForm({ again: () => this.show(me) }, async () => {
      await this.undoSending.set(actingOf(me), new FormFields(body).text('seconds'));
      return redirectWithNotice(PATH, 'Saved.');
    });
  }
}

const DELAYS = UNDO_SECONDS.map((seconds) => ({
  value: String(seconds),
  label: seconds === 0 ? 'not at all' : `${seconds} seconds`,
}));

function RepliesPage({ seconds }: { seconds: number }) {
  return (
    <PageLayout title="Replies" intro="How replies are sent from the console." narrow>
      <FormAlert />
      <Form action={PATH} class="card stack" label="Undo">
        <h2>Undo</h2>
        <p>A reply waits before it is sent. Until then its author can undo it, and nobody is notified.</p>
        <SelectField label="A reply waits" name="seconds" choices={DELAYS} value={String(seconds)} />
        <p class="quiet">Notes and replies from programs are sent immediately.</p>
        <div>
          <button type="submit" class="primary">
            Save
          </button>
        </div>
      </Form>
    </PageLayout>
  );
}
