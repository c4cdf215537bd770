/** A choice of a field. */
export const option = <T>(value: T, label: string) => ({ value, label });
