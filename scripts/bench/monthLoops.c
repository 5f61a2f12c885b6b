/*
 * The engine's month loops in C, as a baseline for its speed. The engine's plans compute the
 * payments; this program runs the months (accrue, split, spend, waive, match, close) with the same
 * compensated sums. It has no dates and no tax.
 *
 * Reads cases from standard input and prints "ready". It then answers each line
 * "<case> <repetitions>" with the nanoseconds and the dollars paid by all borrowers of the case.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { YEARS = 50, MONTHS = 12, LOANS = 100, CASES = 64, BORROWERS = 16 };
enum kind { FIXED, SPLIT, POOL };
static const double CLOSED_BELOW = 0.005;

struct borrower {
  int size, forgiven_at, level_months;
  double waiver_share, match_max;
  double payment_of_year[YEARS];
  double principal[LOANS], rate[LOANS], payment[LOANS], level_ratio[LOANS];
  int full_waiver_months[LOANS], months[LOANS];
};

struct one_case {
  int kind, borrowers;
  struct borrower of[BORROWERS];
};

struct tally {
  double paid[YEARS], principal_left[YEARS], interest_left[YEARS];
  double accrued, waived, matched, forgiven;
  int last_month;
};

static struct one_case cases[CASES];
static double principal[LOANS], interest[LOANS], due[LOANS], owed[LOANS];
static double principal_error[LOANS], interest_error[LOANS];

/* One loan with its own payment; the last month of the term pays the remaining balance. */
static void repay_fixed(const struct borrower *b, int j, struct tally *t) {
  double p = b->principal[j], u = 0, error = 0, payment = b->payment[j], rate = b->rate[j];
  int final = b->months[j] - 1, next_level = b->level_months;
  for (int month = 0; month <= final; month++) {
    if (month == next_level) {
      payment *= b->level_ratio[j];
      next_level += b->level_months;
    }
    double accrued = p * rate, all = p + u + accrued;
    t->accrued += accrued;
    if (all <= payment || month == final) {
      t->paid[month / MONTHS] += all;
      if (month > t->last_month) t->last_month = month;
      return;
    }
    t->paid[month / MONTHS] += payment;
    double beyond = payment - accrued;
    if (beyond < u) u -= beyond;
    else {
      double change = accrued + (u - payment) - error, after = p + change;
      error = after - p - change;
      p = after;
      u = 0;
    }
    if (p + u < CLOSED_BELOW) {
      if (month > t->last_month) t->last_month = month;
      return;
    }
    if (month % MONTHS == MONTHS - 1) {
      t->principal_left[month / MONTHS] += p;
      t->interest_left[month / MONTHS] += u;
    }
  }
}

/* One loan that gets the whole payment. */
static void repay_one(const struct borrower *b, struct tally *t) {
  double p = b->principal[0], u = 0, p_error = 0, u_error = 0, rate = b->rate[0];
  for (int year = 0;; year++) {
    double payment = b->payment_of_year[year], paid = 0, accrued = 0, waived = 0;
    int ended = 0;
    for (int month = year * MONTHS; month < (year + 1) * MONTHS && !ended; month++) {
      double accrues = p * rate, all = p + u + accrues, pay = payment < all ? payment : all, beyond = pay - accrues;
      accrued += accrues;
      paid += pay;
      if (beyond <= u) {
        double waiver = month < b->full_waiver_months[0] ? 1 : b->waiver_share;
        double waived_here = beyond < 0 ? -beyond * waiver : 0;
        double change = -beyond - waived_here - u_error, after = u + change;
        u_error = after - u - change;
        u = after;
        waived += waived_here;
      } else {
        double change = accrues + (u - pay) - p_error, after = p + change;
        p_error = after - p - change;
        p = after;
        u = u_error = 0;
      }
      ended = p + u < CLOSED_BELOW || month == b->forgiven_at;
      if (ended) t->last_month = month;
    }
    t->paid[year] += paid;
    t->accrued += accrued;
    t->waived += waived;
    if (ended) {
      t->forgiven += p + u;
      return;
    }
    t->principal_left[year] += p;
    t->interest_left[year] += u;
  }
}

/* One payment split over all loans in proportion to their balances. */
static void repay_split(const struct borrower *b, struct tally *t) {
  int size = b->size, open = size;
  memcpy(principal, b->principal, size * sizeof(double));
  memset(interest, 0, size * sizeof(double));
  memset(principal_error, 0, size * sizeof(double));
  memset(interest_error, 0, size * sizeof(double));
  for (int year = 0; open > 0; year++) {
    double payment = b->payment_of_year[year], paid = 0, accrued = 0, waived = 0;
    for (int month = year * MONTHS; month < (year + 1) * MONTHS && open > 0; month++) {
      double total = 0;
      for (int j = 0; j < size; j++) {
        due[j] = principal[j] * b->rate[j];
        owed[j] = principal[j] + interest[j] + due[j];
        accrued += due[j];
        total += owed[j];
      }
      double pay = payment < total ? payment : total, share = pay / total;
      paid += pay;
      for (int j = 0; j < size; j++) {
        double beyond = owed[j] * share - due[j], older = interest[j];
        if (beyond <= older) {
          double waiver = month < b->full_waiver_months[j] ? 1 : b->waiver_share;
          double waived_here = beyond < 0 ? -beyond * waiver : 0;
          double change = -beyond - waived_here - interest_error[j], after = older + change;
          interest_error[j] = after - older - change;
          interest[j] = after;
          waived += waived_here;
        } else {
          double before = principal[j], change = older - beyond - principal_error[j], after = before + change;
          principal_error[j] = after - before - change;
          principal[j] = after;
          interest[j] = interest_error[j] = 0;
        }
        if (principal[j] + interest[j] < CLOSED_BELOW && owed[j] > 0) {
          principal[j] = interest[j] = principal_error[j] = interest_error[j] = 0;
          open--;
          t->last_month = month;
        }
      }
      if (month == b->forgiven_at) {
        for (int j = 0; j < size; j++) t->forgiven += principal[j] + interest[j];
        open = 0;
        t->last_month = month;
      }
    }
    t->paid[year] += paid;
    t->accrued += accrued;
    t->waived += waived;
    for (int j = 0; j < size; j++) {
      t->principal_left[year] += principal[j];
      t->interest_left[year] += interest[j];
    }
  }
}

/* All loans as one debt that shrinks in proportion. Requires loans without unpaid interest. */
static void repay_pool(const struct borrower *b, struct tally *t) {
  double p = 0, weighted = 0, smallest = b->principal[0], error = 0, limit;
  for (int j = 0; j < b->size; j++) {
    p += b->principal[j];
    weighted += b->principal[j] * b->rate[j];
    if (b->principal[j] < smallest) smallest = b->principal[j];
  }
  double rate = weighted / p;
  limit = CLOSED_BELOW * p / smallest;
  for (int month = 0; p >= limit; month++) {
    double payment = b->payment_of_year[month / MONTHS];
    double accrued = p * rate, all = p + accrued, pay = payment < all ? payment : all;
    double to_interest = pay < accrued ? pay : accrued, to_principal = pay - to_interest, lowered = to_principal;
    if (to_principal < b->match_max) {
      lowered = pay < b->match_max ? pay : b->match_max;
      if (lowered > p) lowered = p;
    }
    double change = -lowered - error, after = p + change;
    error = after - p - change;
    p = after;
    t->paid[month / MONTHS] += pay;
    t->accrued += accrued;
    t->waived += accrued - to_interest;
    t->matched += lowered - to_principal;
    t->last_month = month;
    if (month == b->forgiven_at) {
      t->forgiven += p;
      return;
    }
    if (month % MONTHS == MONTHS - 1) t->principal_left[month / MONTHS] += p;
  }
}

static double repay(int kind, const struct borrower *b) {
  static struct tally t;
  memset(&t, 0, sizeof t);
  if (kind == SPLIT && b->size == 1) repay_one(b, &t);
  else if (kind == SPLIT) repay_split(b, &t);
  else if (kind == POOL) repay_pool(b, &t);
  else
    for (int j = 0; j < b->size; j++) repay_fixed(b, j, &t);
  double paid = 0;
  for (int year = 0; year < YEARS; year++) paid += t.paid[year];
  return paid;
}

static double number(void) {
  double read;
  if (scanf("%lf", &read) != 1) exit(2);
  return read;
}

static void read_borrower(struct borrower *b) {
  b->size = number();
  b->forgiven_at = number();
  b->waiver_share = number();
  b->match_max = number();
  b->level_months = number();
  for (int year = 0; year < YEARS; year++) b->payment_of_year[year] = number();
  for (int j = 0; j < b->size; j++) {
    b->principal[j] = number();
    b->rate[j] = number();
    b->full_waiver_months[j] = number();
    b->payment[j] = number();
    b->months[j] = number();
    b->level_ratio[j] = number();
  }
}

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e9 + now.tv_nsec;
}

int main(void) {
  int count = number(), which, repetitions;
  if (count > CASES) return 2;
  for (int k = 0; k < count; k++) {
    cases[k].kind = number();
    cases[k].borrowers = number();
    for (int i = 0; i < cases[k].borrowers; i++) read_borrower(&cases[k].of[i]);
  }
  printf("ready\n");
  fflush(stdout);
  while (scanf("%d %d", &which, &repetitions) == 2) {
    double paid = 0, started = nanoseconds();
    for (int r = 0; r < repetitions; r++) {
      paid = 0;
      for (int i = 0; i < cases[which].borrowers; i++) paid += repay(cases[which].kind, &cases[which].of[i]);
    }
    printf("%.0f %.6f\n", nanoseconds() - started, paid);
    fflush(stdout);
  }
  return 0;
}
