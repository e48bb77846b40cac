import { Controller, Get, Param, Post, Query, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { PageAnswer } from '../pages/page.js';
import { Pages } from '../pages/pages.decorator.js';
import { PasswordFlow } from './password.flow.js';
import { SignInFlow } from './sign-in.flow.js';

@Controller()
@Pages()
export class SignInController {
  constructor(
    private readonly signIns: SignInFlow,
    private readonly passwords: PasswordFlow,
  ) {}

  @Get('sign-in')
  show(@Req() request: FastifyRequest): Promise<PageAnswer> {
    return this.signIns.show(request);
  }

  @Post('sign-in')
  signIn(@Req() request: FastifyRequest): Promise<PageAnswer> {
    return this.signIns.tryPassword(request);
  }

  @Post('sign-in/account')
  chooseAccount(@Req() request: FastifyRequest): Promise<PageAnswer> {
    return this.signIns.chooseAccount(request);
  }

  @Post('sign-out')
  signOut(@Req() request: FastifyRequest, @Query('return_to') returnTo: unknown): Promise<PageAnswer> {
    return this.signIns.signOut(request, returnTo);
  }

  @Get('forgot-password')
  showForgotten(@Req() request: FastifyRequest): PageAnswer {
    return this.passwords.showForgotten(request);
  }

  @Post('forgot-password')
  sendLink(@Req() request: FastifyRequest): Promise<PageAnswer> {
    return this.passwords.sendLink(request);
  }

  @Get('set-password/:token')
  showSetPassword(@Req() request: FastifyRequest, @Param('token') token: string): Promise<PageAnswer> {
    return this.passwords.showSetPassword(request, token);
  }

  @Post('set-password/:token')
  setPassword(@Req() request: FastifyRequest, @Param('token') token: string): Promise<PageAnswer> {
    return this.passwords.setPassword(request, token);
  }
}
