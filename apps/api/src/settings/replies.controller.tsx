import { UndoSendingService } from '#libs/tickets';
import { HeldRepliesService } from '#libs/tickets';
import { Body, Controller, Get, Post } from '@nestjs/common';
import { FormFields } from '../ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../ui/page-response.js';
import { Me } from '../sign-in/session.guard.js';
import { actingOf, submitForm } from '../shell/form-submission.js';
import { ConsolePages } from '../shell/console-pages.decorator.js';
import { RepliesPage } from './replies.page.js';

const PATH = '/settings/replies';

@Controller(PATH)
@ConsolePages({ audience: 'managers', navigation: { group: 'Settings', label: 'Replies', icon: 'leave' } })
export class RepliesController {
  constructor(
    private readonly undoSending: UndoSendingService,
    private readonly replies: HeldRepliesService,
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
