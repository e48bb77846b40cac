import { SetMetadata } from '@nestjs/common';

export const ACCESS_KEY = 'http:access';

/** What a controller may declare; without a declaration it needs an access token. */
export type Access = 'session' | 'public';

/** Answers anyone. */
export const Public = () => SetMetadata(ACCESS_KEY, 'public' satisfies Access);

/** Answers people who are signed in to the console. */
export const SignedIn = () => SetMetadata(ACCESS_KEY, 'session' satisfies Access);
