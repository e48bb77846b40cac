import { Clock } from '#libs/database';
import {
  type CallHandler,
  Controller,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  SetMetadata,
  UseGuards,
  UseInterceptors,
  applyDecorators,
} from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Observable, catchError, mergeMap, of } from 'rxjs';
import { SignedIn } from '../edge/caller.js';
import { CookiesService } from '../ui/cookies.service.js';
import { meOf } from '../sign-in/me.decorator.js';
import { type NavigationEntry, type PageContextValue, PageContext, type SidebarContent } from '../ui/page-context.js';
import type { PageResponse } from '../ui/page-response.js';
import { HtmlPages } from '../ui/html-pages.decorator.js';
import { readNotice, readPreferences, writeNotice } from '../ui/preferences.js';
import { topicsOfPage, TopicsService } from '../live/topics.service.js';
import { AUDIENCE_KEY, type Audience, AudienceGuard } from './audience.guard.js';
import { NAVIGATION_KEY, NavigationService } from './navigation.service.js';
import { SidebarReader } from './sidebar.reader.js';
import { toMergedTicket } from './merged-ticket.js';
import { SubmitOnceInterceptor } from './submit-once.interceptor.js';

/** Answered with a redirect to a download. */
const IS_DOWNLOAD = /^\/attachments\//;
const NO_SIDEBAR: SidebarContent = { links: null, counts: {}, badge: 0 };

@Injectable()
export class PageContextInterceptor implements NestInterceptor<PageResponse, PageResponse> {
  constructor(
    private readonly cookies: CookiesService,
    private readonly clock: Clock,
    private readonly navigation: NavigationService,
    private readonly topics: TopicsService,
    private readonly sidebars: SidebarReader,
  ) {}

  async intercept(context: ExecutionContext, next: CallHandler<PageResponse>): Promise<Observable<PageResponse>> {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const version = await this.versionFor(request);
    // The script reads the version here when it swaps parts of a page.
    if (version) void http.getResponse<FastifyReply>().header('deskwire-version', version);
    const hasSidebar = request.method === 'GET' && !IS_DOWNLOAD.test(pathOf(request));
    const loading = hasSidebar ? this.sidebarOf(request) : undefined;
    // It is awaited below; if the handler throws first, nothing awaits it.
    loading?.catch(() => undefined);
    return next.handle().pipe(
      catchError((error: unknown) => of(toMergedTicket(request, error))),
      mergeMap(async (answer) => {
        // Most forms redirect to a page that loads its own sidebar.
        const sidebar = await (loading ?? ('view' in answer ? this.sidebarOf(request) : NO_SIDEBAR));
        return this.withContext(request, answer, { version, sidebar });
      }),
    );
  }

  private sidebarOf(request: FastifyRequest): Promise<SidebarContent> {
    return this.sidebars.read(meOf(request), pathOf(request));
  }

  /** Read before the page, so that changes during its rendering are reported when its stream opens. */
  private async versionFor(request: FastifyRequest): Promise<string | undefined> {
    const topics = request.method === 'GET' ? topicsOfPage(pathOf(request)) : [];
    if (topics.length === 0) return undefined;
    return this.topics.version(meOf(request).accountId, topics);
  }

  private withContext(
    request: FastifyRequest,
    answer: PageResponse,
    loaded: Pick<PageContextValue, 'version' | 'sidebar'>,
  ): PageResponse {
    const { cookies = [] } = answer;
    if ('redirect' in answer) {
      const { notice } = answer;
      return notice ? { ...answer, cookies: [...cookies, this.cookies.set('notice', writeNotice(notice))] } : answer;
    }
    const me = meOf(request);
    const notice = readNotice(this.cookies.read(request, 'notice'));
    const pageContext: PageContextValue = {
      ...loaded,
      me,
      notice,
      now: this.clock.now(),
      path: pathOf(request),
      navigation: this.navigation.entriesFor(me.role),
      preferences: readPreferences(this.cookies.read(request, 'preferences')),
      form: { values: {}, error: null, faults: [], ...answer.form },
    };
    const view = <PageContext.Provider value={pageContext}>{answer.view}</PageContext.Provider>;
    return { ...answer, view, cookies: notice ? [...cookies, this.cookies.clear('notice')] : cookies };
  }
}

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0]!;

/** A controller of console pages, behind sign-in. The last interceptor is the innermost. */
export const ConsolePages = (path: string, audience: Audience = 'agents', navigation?: Omit<NavigationEntry, 'href'>) =>
  applyDecorators(
    Controller(path),
    SetMetadata(AUDIENCE_KEY, audience),
    SetMetadata(NAVIGATION_KEY, navigation),
    SignedIn(),
    UseGuards(AudienceGuard),
    UseInterceptors(SubmitOnceInterceptor),
    HtmlPages(),
    UseInterceptors(PageContextInterceptor),
  );
