import { parseUrl } from '#libs/settings';

export const webhookPath = (id: string): string => `/settings/webhooks/${id}`;

export const DELIVERIES = '/settings/deliveries';

export const deliveryPath = (id: string): string => `/settings/deliveries/${id}`;

export const REPLAYS_PROGRESS = '/settings/replays/progress';

export const hostOf = (url: string): string => parseUrl(url)?.host ?? url;
