/** The page of all error codes. */
export function errorsPage(parts: {
  errors: { code: string; status: number; message: string }[];
  api: string;
  sdk: string;
}): string;
