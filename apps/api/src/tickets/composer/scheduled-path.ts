export const SCHEDULED_PATH = '/scheduled';
