import { markup } from './markup.ts';
import { observedStyle } from './observed/style.ts';
import { baseStyle } from './style/base.ts';
import { failureStyle } from './style/failure.ts';
import { mediaStyle } from './style/media.ts';
import { overviewStyle } from './style/overview.ts';
import { tableStyle } from './style/tables.ts';
import { toolsStyle } from './style/tools.ts';

/** The style of the report: light and dark, for a phone, a desk and paper. */
export const style = markup`${baseStyle}${overviewStyle}${tableStyle}${failureStyle}${toolsStyle}${observedStyle}${mediaStyle}`;
