/* Fuzzy Tiger written by hand in C: the clauses of games/fuzzy_tiger.rules, default readings, 2 to 5 seats.
 *
 * As by_hand.py: for measuring and nothing else.  Every match ends as the same match does in rulekit.
 * Build: cc -O2 -shared -fPIC -o by_hand.so by_hand.c
 */
#include <stdint.h>

#define SEATS 5
#define GOLDEN 0x9E3779B97F4A7C15ULL
#define TURN 65536ULL

typedef struct {
    int32_t seats, tiger, timer, over, decisions; /* timer: -1 before it is placed */
    int32_t monkey[SEATS], score[SEATS], harm[SEATS], sheltered[SEATS], played[SEATS];
    int32_t held[SEATS], gone[SEATS];             /* how many cards are in hand, and spent */
    uint64_t hand[SEATS], spent[SEATS];           /* four bits a card, in the order in which they came */
    uint64_t chance[SEATS];
} match;

static inline uint64_t mixed(uint64_t z) {
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
    return z ^ (z >> 31);
}

/* By n the largest output that counts for a number below n: the last before a whole multiple of n ends. */
#define MOST(n) (UINT64_MAX - (UINT64_MAX % (n) + 1) % (n))
static const uint64_t most[] = {0,       MOST(1), MOST(2), MOST(3), MOST(4),
                                MOST(5), MOST(6), MOST(7), MOST(8), MOST(9)};

/* Numbers below n; a decision of a seat has outputs of its own. */
static inline int below(match *m, int seat, uint32_t n) {
    uint64_t at = m->chance[seat], z;
    m->chance[seat] = at + GOLDEN * TURN;
    m->decisions++;
    while ((z = mixed(at)) > most[n]) at += GOLDEN;
    return (int)(z % n);
}

static inline void put(match *m, int seat, int space) {
    while (space >= 1 && space <= 4) {
        int pushed = -1;
        for (int other = 0; other < m->seats; other++)
            if (other != seat && m->monkey[other] == space) { pushed = other; break; }
        m->monkey[seat] = space;
        if (pushed < 0) return;
        seat = pushed;
        space--;
    }
    m->monkey[seat] = space;
}

static inline void nearer(match *m, int seat, int steps) {
    int space = m->monkey[seat] - steps;
    put(m, seat, space < 0 ? 0 : space);
}

static void take_back(match *m, int seat) {
    m->hand[seat] |= m->spent[seat] << 4 * m->held[seat];
    m->held[seat] += m->gone[seat];
    m->hand[seat] |= 9ULL << 4 * m->held[seat]++;
    m->spent[seat] = m->gone[seat] = 0;
}

static int wake(match *m, int card) {
    int nearest = 5, farthest = -1, alone = 0, who = 0;
    for (int s = 0; s < m->seats; s++)
        if (!m->sheltered[s] && m->monkey[s] < nearest) nearest = m->monkey[s];
    for (int s = 0; s < m->seats; s++) {
        if (nearest < 5 && !m->sheltered[s] && m->monkey[s] == nearest) m->harm[s] += 2;
        if (m->monkey[s] > farthest) { farthest = m->monkey[s]; alone = 1; who = s; }
        else if (m->monkey[s] == farthest) alone = 0;
    }
    if (alone) m->harm[who]++;
    for (int s = 0; s < m->seats; s++)
        if (m->timer >= 0 && m->score[s] >= m->timer) m->over = 1;
    if (m->over) return 1;
    for (int s = 0; s < m->seats; s++) m->monkey[s] = 6;
    m->tiger = 6;
    m->timer = m->timer < 0 ? 15 : m->timer - 1;
    for (int s = 0; s < m->seats; s++)
        if (card != 9 && m->played[s] == 9) take_back(m, s);
    return 1;
}

static inline void instructions(match *m, int card, const int *owners, int count) {
    int seat = owners[0];
    switch (card) {
    case 1:
        if (count == 1) nearer(m, seat, 1);
        for (int i = 0; i < count; i++) m->sheltered[owners[i]] = 1;
        break;
    case 2: nearer(m, seat, 1); m->tiger = 6; break;
    case 3:
        if (count == 1) nearer(m, seat, 2);
        m->tiger -= 2 * count;
        break;
    case 4: if (below(m, seat, 2)) put(m, seat, 3); else nearer(m, seat, 2); break;
    case 5: nearer(m, seat, 1 + below(m, seat, 2)); break;
    case 6: nearer(m, seat, 3); break;
    case 7: nearer(m, seat, 4); m->tiger -= 1; break;
    case 8: {
        int other = m->seats > 2 ? below(m, seat, (uint32_t)m->seats - 1) : 0, space = m->monkey[seat];
        other += other >= seat;
        m->monkey[seat] = m->monkey[other];
        m->monkey[other] = space;
        break;
    }
    default:
        for (int i = 0; i < count; i++) take_back(m, owners[i]);
    }
}

static inline int act(match *m, int card, const int *owners, int count) {
    instructions(m, card, owners, count);
    if (m->tiger < 1) return wake(m, card);
    for (int i = 0; i < count; i++)
        if (m->monkey[owners[i]] == 0) m->monkey[owners[i]] = 5;
    /* Spaces 1 and 2 hold one monkey each, so the nearest first is 1, then 2. */
    for (int space = 1; space <= 2 && card != 2; space++)
        for (int i = 0; i < count; i++)
            if (m->monkey[owners[i]] == space) {
                m->score[owners[i]] += 3 - space;
                m->tiger -= 3 - space;
                if (m->tiger < 1) return wake(m, card);
            }
    for (int i = 0; i < count && card != 1; i++)
        if (m->monkey[owners[i]] == 2) m->monkey[owners[i]] = 5;
        else if (m->monkey[owners[i]] == 1) m->monkey[owners[i]] = 6;
    for (int s = 0; s < m->seats; s++)
        if (m->monkey[s] == 0) m->monkey[s] = 5;
    return 0;
}

static void play_round(match *m) {
    uint32_t revealed = 0;
    for (int s = 0; s < m->seats; s++) {
        int place = below(m, s, (uint32_t)m->held[s]--);
        uint64_t hand = m->hand[s], before = (1ULL << 4 * place) - 1;
        m->played[s] = (int32_t)(hand >> 4 * place & 15);
        m->hand[s] = (hand & before) | (hand >> 4 & ~before);
        m->sheltered[s] = 0;
        revealed |= 1u << m->played[s];
    }
    for (; revealed; revealed &= revealed - 1) {
        int card = __builtin_ctz(revealed), owners[SEATS], count = 0;
        for (int s = 0; s < m->seats; s++)
            if (m->played[s] == card) owners[count++] = s;
        if (count > 1 && card != 1 && card != 3 && card != 9) continue;
        if (act(m, card, owners, count)) break;
    }
    if (m->over) return;
    for (int s = 0; s < m->seats; s++)
        if (m->played[s] != 9) m->spent[s] |= (uint64_t)m->played[s] << 4 * m->gone[s]++;
}

/* By seat the place from 1, 0 for who is defeated. */
static void places(const match *m, int32_t *place) {
    int worst = -1, least = 1 << 20;
    for (int s = 0; s < m->seats; s++) {
        if (m->harm[s] > worst) worst = m->harm[s];
        if (m->harm[s] < least) least = m->harm[s];
    }
    int64_t mark[SEATS];
    for (int s = 0; s < m->seats; s++)
        mark[s] = m->harm[s] == worst && least < worst ? INT64_MAX
                                                       : (int64_t)(m->harm[s] - m->score[s]) * 8 + m->monkey[s];
    for (int s = 0; s < m->seats; s++) {
        place[s] = mark[s] != INT64_MAX;
        for (int o = 0; o < m->seats && place[s]; o++) {
            int is_new = mark[o] < mark[s];
            for (int before = 0; before < o; before++) is_new &= mark[before] != mark[o];
            place[s] += is_new;
        }
    }
}

/* Matches first to first + count - 1 of the series `seed`; made: for each its decisions, then places by seat.
 * streams: for each seat the number of its stream's name.  Gives the decisions of all. */
int64_t playouts(uint64_t seed, int64_t first, int64_t count, int32_t seats, const uint64_t *streams, int32_t *made) {
    int64_t all = 0;
    for (int64_t i = first; i < first + count; i++) {
        match m = {.seats = seats, .tiger = 6, .timer = -1};
        uint64_t number = mixed(seed + ((uint64_t)i + 1) * GOLDEN);
        for (int s = 0; s < seats; s++) {
            m.monkey[s] = 6;
            m.held[s] = 9;
            m.hand[s] = 0x987654321;
            m.chance[s] = mixed(number + streams[s]) + GOLDEN;
        }
        while (!m.over) play_round(&m);
        *made++ = m.decisions;
        places(&m, made);
        made += seats;
        all += m.decisions;
    }
    return all;
}
