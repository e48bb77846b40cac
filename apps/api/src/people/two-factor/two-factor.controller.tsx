import { TwoFactorService, otpauthUri } from '#libs/access';
import { Get, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { FormFields } from '../../layers/ui/form-fields.js';
import { type PageContent, type PageResponse, redirectWithNotice } from '../../layers/ui/page-response.js';
import { BrowserSessionsService } from '../../layers/sign-in/browser-sessions.service.js';
import { Me } from '../../layers/sign-in/me.decorator.js';
import { WithoutTwoFactor } from '../../layers/sign-in/session.guard.js';
import { TWO_FACTOR_PATH } from '../../layers/sign-in/sign-in-paths.js';
import { actingOf } from '../../layers/shell/acting.js';
import { submitForm } from '../../layers/shell/form-submission.js';
import { ReauthenticationService, proofIn } from '../profile/reauthentication.service.js';
import { ConsolePages } from '../../layers/shell/console-pages.decorator.js';
import { RecoveryCodesPage, TwoFactorPage } from './two-factor.page.js';

const REPLACED = 'Your previous recovery codes no longer work.';

@ConsolePages(TWO_FACTOR_PATH)
@WithoutTwoFactor()
export class TwoFactorController {
  constructor(
    private readonly twoFactor: TwoFactorService,
    private readonly proof: ReauthenticationService,
    private readonly browserSessions: BrowserSessionsService,
  ) {}

  @Get()
  async show(@Me() me: Me): Promise<PageContent> {
    const state = await this.twoFactor.read(me.accountId, me.agentId);
    const uri = state.kind === 'setting_up' ? otpauthUri(state.secret, me) : '';
    return { view: <TwoFactorPage state={state} uri={uri} /> };
  }

  @Post('start')
  start(@Me() me: Me, @Req() request: FastifyRequest): Promise<PageResponse> {
    return submitForm({ again: () => this.show(me) }, async () => {
      await this.proof.requirePassword(me, proofIn(request, 'password'));
      await this.twoFactor.start(ownerOf(me));
      return { redirect: TWO_FACTOR_PATH };
    });
  }

  /** No redirect: the recovery codes are never shown again. */
  @Post('confirm')
  confirm(@Me() me: Me, @Req() request: FastifyRequest): Promise<PageResponse> {
    return submitForm({ again: () => this.show(me) }, async () => {
      const codes = await this.twoFactor.confirm(ownerOf(me), new FormFields(request.body).text('code'));
      // The person may have been sent here on the way to another page.
      const next = me.owesTwoFactor ? (this.browserSessions.returnTo(request) ?? '/') : '/profile';
      return { view: <RecoveryCodesPage codes={codes} next={next} notice="Two-factor sign-in is on." /> };
    });
  }

  @Post('recovery-codes')
  replaceRecoveryCodes(@Me() me: Me, @Req() request: FastifyRequest): Promise<PageResponse> {
    return submitForm({ again: () => this.show(me) }, async () => {
      await this.proof.requirePasswordOrCode(me, proofIn(request, 'proof'));
      const codes = await this.twoFactor.replaceRecoveryCodes(ownerOf(me));
      return { view: <RecoveryCodesPage codes={codes} next="/profile" notice={REPLACED} /> };
    });
  }

  @Post('off')
  switchOff(@Me() me: Me, @Req() request: FastifyRequest): Promise<PageResponse> {
    return submitForm({ again: () => this.show(me) }, async () => {
      await this.proof.requirePasswordOrCode(me, proofIn(request, 'off_proof'));
      await this.twoFactor.switchOff(ownerOf(me));
      return redirectWithNotice('/profile', 'Two-factor sign-in is off.');
    });
  }
}

const ownerOf = (me: Me) => ({ ...actingOf(me), sessionId: me.sessionId });
