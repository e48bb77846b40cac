import {
  type ApplicationDetails,
  ApplicationsService,
  GrantsService,
  ThrottlesService,
  newApplicationLimits,
} from '#libs/access';
import { Database } from '#libs/database';
import { TooMany } from '#libs/entities';
import { Links } from '#libs/payloads';
import { Body, Get, Param, Post } from '@nestjs/common';
import { IdentifierPipe } from '../layers/edge/path-parameter.pipes.js';
import { ConsolePages } from '../layers/shell/console-pages.decorator.js';
import { submitForm } from '../layers/shell/form-submission.js';
import { Me } from '../layers/sign-in/me.decorator.js';
import { FormFields } from '../layers/ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../layers/ui/page-response.js';
import { OWN_APPLICATIONS_PATH } from './applications.page.js';
import { OwnApplicationPage } from './own-application.page.js';
import { OwnApplicationsPage, ownApplicationPath } from './own-applications.page.js';

const ClientId = () => Param('clientId', new IdentifierPipe('application'));

const OVERLAP_HOURS = [0, 24, 168];

@ConsolePages('settings/applications/own', 'managers')
export class OwnApplicationsController {
  constructor(
    private readonly applications: ApplicationsService,
    private readonly grants: GrantsService,
    private readonly throttles: ThrottlesService,
    private readonly database: Database,
    private readonly links: Links,
  ) {}

  @Get()
  async list(@Me() me: Me): Promise<PageContent> {
    const [applications, grants] = await Promise.all([
      this.applications.list(me.accountId),
      this.grants.list(me.accountId),
    ]);
    const peopleOf = (id: string) => grants.filter(({ applicationId }) => applicationId === id).length;
    const rows = applications.map((application) => ({ application, people: peopleOf(application.id) }));
    return { view: <OwnApplicationsPage rows={rows} /> };
  }

  /** No redirect, because the secret is never shown again. */
  @Post()
  create(@Me() me: Me, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    const wanted = { ...detailsIn(form), ...makerOf(me), isPublic: form.text('type') === 'public' };
    return submitForm({ again: () => this.list(me), typed: typedIn(form) }, async () => {
      await this.refuseTooMany(me);
      const made = await this.database.systemTransaction((tx) => this.applications.create(tx, wanted));
      return this.page(me, made.application.clientId, made.clientSecret);
    });
  }

  @Get(':clientId')
  show(@Me() me: Me, @ClientId() clientId: string): Promise<PageContent> {
    return this.page(me, clientId);
  }

  @Post(':clientId')
  change(@Me() me: Me, @ClientId() clientId: string, @Body() body: unknown): Promise<PageResponse> {
    const form = new FormFields(body);
    return submitForm({ again: () => this.page(me, clientId), typed: typedIn(form) }, async () => {
      await this.applications.changeDetails({ clientId, ...makerOf(me) }, detailsIn(form));
      return redirectWithNotice(ownApplicationPath(clientId), 'Application saved.');
    });
  }

  @Post(':clientId/rotate')
  rotate(@Me() me: Me, @ClientId() clientId: string, @Body() body: unknown): Promise<PageResponse> {
    const hours = OVERLAP_HOURS.find((known) => `${known}` === new FormFields(body).text('overlap')) ?? 24;
    return submitForm({ again: () => this.page(me, clientId) }, async () => {
      const { clientSecret } = await this.applications.rotateSecret({ clientId, ...makerOf(me) }, hours);
      return this.page(me, clientId, clientSecret);
    });
  }

  @Post(':clientId/end-old-secret')
  async endOldSecret(@Me() me: Me, @ClientId() clientId: string): Promise<PageResponse> {
    await this.applications.endOldSecret({ clientId, ...makerOf(me) });
    return redirectWithNotice(ownApplicationPath(clientId), 'The old secret no longer works.');
  }

  @Post(':clientId/disable')
  async disable(@Me() me: Me, @ClientId() clientId: string): Promise<PageResponse> {
    await this.applications.disable({ clientId, ...makerOf(me) });
    return redirectWithNotice(ownApplicationPath(clientId), 'Application and its webhooks disabled.');
  }

  @Post(':clientId/enable')
  enable(@Me() me: Me, @ClientId() clientId: string): Promise<PageResponse> {
    return submitForm({ again: () => this.page(me, clientId) }, async () => {
      await this.applications.enable({ clientId, ...makerOf(me) });
      return redirectWithNotice(ownApplicationPath(clientId), 'Application enabled. Its webhooks stay disabled.');
    });
  }

  @Post(':clientId/delete')
  async delete(@Me() me: Me, @ClientId() clientId: string): Promise<PageResponse> {
    await this.applications.remove({ clientId, ...makerOf(me) });
    return redirectWithNotice(OWN_APPLICATIONS_PATH, 'Application deleted.');
  }

  private async refuseTooMany({ accountId }: Me): Promise<void> {
    const wait = await this.throttles.consume(newApplicationLimits(accountId));
    const sentence = `Too many applications were created. Try again in ${Math.ceil(wait / 60)} min.`;
    if (wait > 0) throw new TooMany('too_many_attempts', sentence, wait);
  }

  private async page(me: Me, clientId: string, newSecret: string | null = null): Promise<PageContent> {
    const application = await this.applications.find({ clientId, makerAccountId: me.accountId });
    return { view: <OwnApplicationPage application={application} newSecret={newSecret} base={this.links.base} /> };
  }
}

const makerOf = ({ accountId, agentId }: Me) => ({ makerAccountId: accountId, by: agentId });

const detailsIn = (form: FormFields): ApplicationDetails => ({
  name: form.text('name'),
  homePage: form.text('home_page').trim(),
  redirectUris: form.text('redirect_uri').split(/\s+/).filter(Boolean),
  scopes: form.texts('scope'),
});

const typedIn = (form: FormFields): Record<string, string> => ({
  ...form.pick('name', 'home_page', 'redirect_uri', 'type'),
  scope: form.texts('scope').join(' '),
});
